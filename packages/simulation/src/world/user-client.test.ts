import { createApiServer } from "@levelset/apiserver";
import type { ApiServer } from "@levelset/apiserver";
import { VirtualClock } from "@levelset/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Manifest, ObjectId } from "../history/index.ts";
import { UserClient } from "./user-client.ts";

const ID: ObjectId = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "a" };

type Texts = Readonly<Record<string, string>>;

function manifest(labels?: Texts, annotations?: Texts): Manifest {
  const metadata = { namespace: "default", name: "a" };
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...metadata, ...(labels && { labels }), ...(annotations && { annotations }) },
    data: { key: "x" },
  };
}

let server: ApiServer;
let user: UserClient;
/** Called before each request of the user. */
let beforeRequest: (request: Request) => Promise<void>;

beforeEach(() => {
  server = createApiServer({ clock: new VirtualClock() });
  beforeRequest = async () => {};
  user = new UserClient(
    async (request) => {
      await beforeRequest(request);
      return server.fetch(request);
    },
    () => "configmaps",
  );
});
afterEach(() => server.close());

/** Another client writes labels and annotations. */
async function mark(name: string): Promise<void> {
  const other = new UserClient(server.fetch, () => "configmaps");
  await other.merge(ID, { metadata: { labels: { [name]: "1" }, annotations: { [name]: "1" } } });
}

async function metaAfter(change: Manifest): Promise<readonly [Texts, Texts]> {
  const write = await user.change(change);
  if (write.kind === "refused") throw new Error(write.message);
  const { labels = {}, annotations = {} } = write.object.metadata;
  return [labels, annotations];
}

test("a change of a user keeps the labels and annotations of other clients", async () => {
  await user.create(manifest({ team: "x" }, { note: "x" }));
  await mark("seen");
  expect(await metaAfter(manifest({ team: "y" }, { note: "y" }))).toEqual([
    { seen: "1", team: "y" },
    { seen: "1", note: "y" },
  ]);
});

test("a change of a user removes the labels and annotations that the user wrote before and omits now", async () => {
  await user.create(manifest({ team: "x", tier: "1" }, { note: "x" }));
  await mark("seen");
  expect(await metaAfter(manifest({ team: "x" }))).toEqual([{ seen: "1", team: "x" }, { seen: "1" }]);
  expect(await metaAfter(manifest())).toEqual([{ seen: "1" }, { seen: "1" }]);
});

test("a label of another client stays if an earlier object of the user had it", async () => {
  await user.create(manifest({ seen: "0" }));
  await user.delete(ID);
  await user.create(manifest());
  await mark("seen");
  expect(await metaAfter(manifest())).toEqual([{ seen: "1" }, { seen: "1" }]);
});

test("a label that another client writes during a change of a user stays", async () => {
  await user.create(manifest({ team: "x" }));
  beforeRequest = async ({ method }) => {
    if (method !== "PATCH") return;
    beforeRequest = async () => {};
    await mark("seen");
  };
  expect(await metaAfter(manifest({ team: "y" }))).toEqual([{ seen: "1", team: "y" }, { seen: "1" }]);
});

test("a change of an object that does not exist is refused", async () => {
  expect(await user.change(manifest())).toMatchObject({ kind: "refused", code: 404 });
});
