import { ConfigMap, isNotFound } from "@levelset/core";
import type { Fetch, JsonObject, ObjectOf } from "@levelset/core";
import { KubernetesTransport, NotOwnedError } from "@levelset/fleet/adapter";
import { Cache, Client } from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectSession } from "../../support/test-server.ts";
import type { ServerSession, TestServer } from "../../support/test-server.ts";

const { signal } = new AbortController();
const CLAIM = { owner: { adapter: "dns", resourceId: "c1", resourceKind: "Cluster", generation: 1 }, adopt: false };

function manifest(name: string, text: string): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data: { text } };
}

/** An adapter with one ConfigMap. Calls `race` right before its first write. */
class Adapter {
  readonly #transport: KubernetesTransport;
  readonly #name: string;

  constructor({ world }: ServerSession, name: string, race?: () => Promise<unknown>) {
    let isRaced = race === undefined;
    const fetch: Fetch = async (request) => {
      if (!isRaced && request.method !== "GET") {
        isRaced = true;
        await race?.();
      }
      return world.fetch(request);
    };
    const cache = new Cache({ ...world, fetch });
    this.#transport = new KubernetesTransport({ cache, adapter: "dns", clock: world.clock });
    this.#name = name;
  }

  async act(action: "apply" | "recreate" | "adopt" | "delete", text: string = "1"): Promise<string> {
    const by = { kind: "name", name: this.#name } as const;
    const target = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", by };
    const claim = { ...CLAIM, adopt: action === "adopt" };
    const [found] = await this.#transport.find(target, signal);
    const live =
      found !== undefined && this.#transport.ownership(found, CLAIM.owner).kind === "ours" ? found : undefined;
    try {
      if (action === "delete") {
        await this.#transport.delete(target, found ?? {}, { ...claim, policy: "Background", signal });
        return "deleted";
      }
      const options = { ...claim, recreate: action === "recreate" && live !== undefined, signal };
      return (await this.#transport.apply(target, manifest(this.#name, text), live, options)).as;
    } catch (error) {
      if (error instanceof NotOwnedError) return error.name;
      throw error;
    } finally {
      this.#transport.close();
    }
  }
}

/** Contract for the ownership of adapter objects: the same suite runs on the embedded server and on kube-apiserver. */
export function adapterOwnershipContract(name: string, start: () => Promise<TestServer>): void {
  describe(`objects of adapters on ${name}`, () => {
    let [target, open]: [TestServer | undefined, ServerSession | undefined] = [undefined, undefined];
    beforeAll(async () => {
      target = await start();
      open = await connectSession(target);
    });
    afterAll(async () => {
      await open?.[Symbol.asyncDispose]();
      await target?.[Symbol.asyncDispose]();
    });
    const opened = (): ServerSession => {
      if (open === undefined) throw new Error("the cluster did not start");
      return open;
    };
    const client = (): Client => new Client({ ...opened().world, fieldManager: "test" });
    const get = async (map: string): Promise<ObjectOf<typeof ConfigMap> | undefined> => {
      try {
        return await client().get(ConfigMap, { namespace: "default", name: map });
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    };
    const makeTheirs = async (map: string): Promise<void> => {
      if ((await get(map)) !== undefined) await client().delete(ConfigMap, { namespace: "default", name: map });
      await client().create(ConfigMap, { metadata: { namespace: "default", name: map }, data: { precious: "yes" } });
    };

    test("are created, left alone, changed, recreated and deleted", async () => {
      const act = (action: "apply" | "recreate" | "delete", text?: string): Promise<string> =>
        new Adapter(opened(), "own").act(action, text);
      expect(await act("apply")).toBe("created");
      expect(await act("apply")).toBe("unchanged");
      expect(await act("apply", "2")).toBe("updated");
      expect(await act("recreate", "3")).toBe("recreated");
      expect((await get("own"))?.data).toEqual({ text: "3" });
      expect((await get("own"))?.metadata.annotations).toMatchObject({ "fleet.levelset.dev/resource-kind": "Cluster" });
      await act("delete");
      expect(await get("own")).toBeUndefined();
    });

    test("of another owner are not changed, and adopted on request", async () => {
      await makeTheirs("theirs");
      const before = await get("theirs");
      for (const action of ["apply", "recreate", "delete"] as const) await new Adapter(opened(), "theirs").act(action);
      expect(await get("theirs")).toEqual(before);
      expect(await new Adapter(opened(), "theirs").act("apply")).toBe("NotOurs");
      expect(await new Adapter(opened(), "theirs").act("adopt")).toBe("updated");
      expect((await get("theirs"))?.data).toEqual({ precious: "yes", text: "1" });
    });

    test.each([
      ["created", "apply", "NotOurs"],
      ["changed", "apply", "NotOurs"],
      ["recreated", "recreate", "NotOurs"],
      ["deleted", "delete", "deleted"],
    ] as const)(
      "that another client creates right before ours is %s stay unchanged",
      async (what, action, expected) => {
        const map = `race-${what}`;
        if (what !== "created") await new Adapter(opened(), map).act("apply");
        expect(await new Adapter(opened(), map, () => makeTheirs(map)).act(action, "2")).toBe(expected);
        const there = await get(map);
        expect(there?.data).toEqual({ precious: "yes" });
        expect(there?.metadata.labels).toBeUndefined();
      },
    );
  });
}
