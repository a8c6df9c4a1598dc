import { ConfigMap, deepEqual, isReady, Namespace, Secret, Service } from "@levelset/core";
import type { EmbeddedObject, JsonObject, Kind } from "@levelset/core";
import {
  Client,
  Discovery,
  installKind,
  Operand,
  operandManager,
  planOperand,
  visibleObject,
} from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { onRealCluster } from "../support/real-cluster.ts";
import { session } from "../support/target.ts";

const object = (kind: string, name: string, rest: JsonObject = {}, annotations: JsonObject = {}): EmbeddedObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name, ...(kind === "Namespace" ? {} : { namespace: "plans" }), annotations },
  ...rest,
});

const service = (port: number): EmbeddedObject =>
  object("Service", "web", { spec: { ports: [{ port }], selector: { app: "web" } } });
const recreate = { "operand.levelset.dev/recreate": "true" };

/** Sets, each in place of the one before. */
const SETS: readonly (readonly EmbeddedObject[])[] = [
  [object("Namespace", "plans"), object("ConfigMap", "a", { data: { x: "1" } }), service(80)],
  [
    object("Namespace", "plans"),
    object("ConfigMap", "a", { data: { y: "2" } }),
    service(81),
    object("Secret", "s", { stringData: { p: "1" } }),
  ],
  [object("ConfigMap", "a", { data: { y: "2" }, immutable: true }), object("Secret", "s", { stringData: { p: "2" } })],
  [
    object("ConfigMap", "a", { data: { y: "3" }, immutable: true }, recreate),
    object("Secret", "s", { stringData: { p: "2" } }),
  ],
  [],
];

await onRealCluster("levelset operand plan on Kubernetes", (start) => {
  describe("levelset operand plan on Kubernetes", () => {
    test("is what the run then does", async () => {
      await using target = await start({ controllerManager: true });
      await using connected = await session(target);
      const { world } = connected;
      const { clock, signal } = world;
      const client = new Client({ fetch: world.fetch, fieldManager: "test" });
      const discovery = new Discovery(client);
      const manager = operandManager();
      for (const kind of manager.kinds ?? []) await installKind(client, kind, { clock, signal });
      connected.run(manager);
      for (const steadyState of SETS) {
        const body = { metadata: { name: "set" }, spec: { steadyState } };
        const proposed = await client.apply(Operand, body, { dryRun: true, signal });
        const before = await look(client);
        const plan = await planOperand(proposed, { client, discovery, clock, signal });
        expect(await look(client)).toEqual(before);
        await client.apply(Operand, body, { signal });
        await expect
          .poll(async () => isReady(await client.get(Operand, { name: "set" })), { timeout: 30_000 })
          .toBe(true);
        const acts = ["create", "change", "recreate", "delete"];
        const told =
          plan.kind === "plan" ? [...plan.items, ...plan.prunes].filter(({ action }) => acts.includes(action)) : [];
        const foretold = told.map(({ ref, action }) => `${action} ${ref.kind} ${ref.name}`);
        expect(happened(before, await look(client))).toEqual(foretold.toSorted());
      }
    }, 180_000);
  });
});

type Seen = ReadonlyMap<string, { readonly uid: string; readonly visible: JsonObject }>;

async function look(client: Client): Promise<Seen> {
  const seen = new Map<string, { uid: string; visible: JsonObject }>();
  for (const kind of [Namespace, ConfigMap, Secret, Service] as readonly Kind[]) {
    const { items } = await client.list(kind, kind.scope === "Cluster" ? {} : { namespace: "plans" });
    // What Kubernetes itself puts into every namespace is none of ours.
    for (const one of items.filter(({ metadata }) => metadata.name === "plans" || metadata.name.length <= 3)) {
      seen.set(`${kind.kind} ${one.metadata.name}`, { uid: one.metadata.uid, visible: visibleObject(one, kind) });
    }
  }
  return seen;
}

function happened(before: Seen, after: Seen): readonly string[] {
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids]
    .flatMap((id) => {
      const [was, is] = [before.get(id), after.get(id)];
      if (was === undefined) return [`create ${id}`];
      if (is === undefined) return [`delete ${id}`];
      if (was.uid !== is.uid) return [`recreate ${id}`];
      return deepEqual(was.visible, is.visible) ? [] : [`change ${id}`];
    })
    .toSorted();
}
