import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLUSTER_ORIGIN, crdOf, kind, s, silentLogger } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { openDatabase } from "../store/sqlite/database.ts";
import type { Database } from "../store/sqlite/database.ts";
import { SqliteStore } from "../store/index.ts";
import type { SqliteStoreOptions } from "../store/index.ts";
import { createApiServer } from "./embedded.ts";

const Simple = kind({
  group: "examples.levelset.dev",
  version: "v1",
  kind: "Simple",
  spec: s.object({ n: s.int32() }),
});
const SIMPLES = "/apis/examples.levelset.dev/v1/namespaces/default/simples";

interface OnFile extends Disposable {
  readonly store: SqliteStore;
  call(method: string, path: string, body?: unknown): Promise<Response>;
}

/** A server on a file, for as long as it is needed. */
async function onFile(options: SqliteStoreOptions, seed: number): Promise<OnFile> {
  const store = await SqliteStore.open(options);
  const server = createApiServer({
    clock: new VirtualClock(),
    random: seededRandom(seed),
    logger: silentLogger,
    store,
  });
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const headers = { "content-type": "application/json" };
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    return server.fetch(new Request(CLUSTER_ORIGIN + path, init));
  };
  return { store, call, [Symbol.dispose]: () => server.close() };
}

/** A place for a file, gone after the test. */
function place(): Disposable & { readonly path: string } {
  const directory = mkdtempSync(join(tmpdir(), "levelset-server-"));
  return { path: join(directory, "data.db"), [Symbol.dispose]: () => rmSync(directory, { recursive: true }) };
}

test("a server that is started anew on its file serves the same kinds and objects, and watches go on", async () => {
  using file = place();
  const object = (name: string): unknown => ({
    apiVersion: "examples.levelset.dev/v1",
    kind: "Simple",
    metadata: { name },
    spec: { n: 1 },
  });
  const first = await onFile(file, 1);
  await first.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crdOf(Simple));
  const created = await first.call("POST", SIMPLES, object("a"));
  expect(created.status).toBe(201);
  const text = await created.text();
  const { revision } = first.store;
  first[Symbol.dispose]();
  using second = await onFile(file, 2);
  expect(await (await second.call("GET", `${SIMPLES}/a`)).text()).toBe(text);
  const watch = await second.call("GET", `${SIMPLES}?watch=true&resourceVersion=${revision}`);
  expect((await second.call("POST", SIMPLES, object("b"))).status).toBe(201);
  const { value } = (await watch.body?.getReader().read()) ?? {};
  expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({
    type: "ADDED",
    object: { metadata: { name: "b" } },
  });
});

test("a server whose disk is full says so, and goes on reading and deleting", async () => {
  using file = place();
  let database: Database | undefined;
  const open = async (path: string): Promise<Database> => (database = await openDatabase(path));
  using server = await onFile({ ...file, open }, 1);
  const configMaps = "/api/v1/namespaces/default/configmaps";
  const write = (name: string): Promise<Response> =>
    server.call("POST", configMaps, { metadata: { name }, data: { text: "x".repeat(100_000) } });
  expect((await write("a")).status).toBe(201);
  database?.run("PRAGMA max_page_count = 1");
  const refused = await write("b");
  expect([refused.status, await refused.json()]).toEqual([
    500,
    expect.objectContaining({
      kind: "Status",
      reason: "InternalError",
      message: expect.stringMatching(/^database space/u),
    }),
  ]);
  expect((await server.call("GET", `${configMaps}/a`)).status).toBe(200);
  expect((await server.call("DELETE", `${configMaps}/a`)).status).toBe(200);
  expect((await write("b")).status).toBe(201);
});
