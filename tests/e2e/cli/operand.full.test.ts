import { ConfigMap, isReady, Namespace, Secret, Service } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { EmbeddedObject, JsonObject, Kind } from "@levelset/core";
import { Client, Discovery, installCrd, Operand, operandManager, planOperand } from "@levelset/operator";
import { comparableObject } from "@levelset/operator/internal";
import { describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { connectSession } from "../../support/test-server.ts";

const object = (kind: string, name: string, rest: JsonObject = {}, annotations: JsonObject = {}): EmbeddedObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name, ...(kind === "Namespace" ? {} : { namespace: "plans" }), annotations },
  ...rest,
});

const service = (port: number): EmbeddedObject =>
  object("Service", "web", { spec: { ports: [{ port }], selector: { app: "web" } } });
const recreate = { "operand.levelset.dev/recreate": "true" };

/** Versions of the manifests, each replacing the previous one. */
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
    test("predicts what the run does", async () => {
      await using target = await start({ controllerManager: true });
      await using connected = await connectSession(target);
      const { world } = connected;
      const { clock, signal } = world;
      const client = new Client({ fetch: world.fetch, fieldManager: "test" });
      const discovery = new Discovery(client);
      const manager = operandManager();
      for (const kind of manager.kinds ?? []) await installCrd(client, kind, { clock, signal });
      connected.run(manager);
      for (const steadyState of SETS) {
        const body = { metadata: { name: "set" }, spec: { steadyState } };
        const proposed = await client.apply(Operand, body, { dryRun: true, signal });
        const before = await snapshot(client);
        const plan = await planOperand(proposed, { client, discovery, clock, signal });
        expect(await snapshot(client)).toEqual(before);
        await client.apply(Operand, body, { signal });
        await expect
          .poll(async () => isReady(await client.get(Operand, { name: "set" })), { timeout: 30_000 })
          .toBe(true);
        const writes = ["create", "change", "recreate", "delete"];
        const planned =
          plan.kind === "plan" ? [...plan.items, ...plan.prunes].filter(({ action }) => writes.includes(action)) : [];
        const expected = planned.map(({ ref, action }) => `${action} ${ref.kind} ${ref.name}`);
        expect(changesBetween(before, await snapshot(client))).toEqual(expected.toSorted());
      }
    });
  });
});

type Snapshot = ReadonlyMap<string, { readonly uid: string; readonly visible: JsonObject }>;

async function snapshot(client: Client): Promise<Snapshot> {
  const objects = new Map<string, { uid: string; visible: JsonObject }>();
  for (const kind of [Namespace, ConfigMap, Secret, Service] as readonly Kind[]) {
    const { items } = await client.list(kind, kind.scope === "Cluster" ? {} : { namespace: "plans" });
    // Skips the objects that Kubernetes creates in every namespace.
    for (const one of items.filter(({ metadata }) => metadata.name === "plans" || metadata.name.length <= 3)) {
      objects.set(`${kind.kind} ${one.metadata.name}`, { uid: one.metadata.uid, visible: comparableObject(one, kind) });
    }
  }
  return objects;
}

function changesBetween(before: Snapshot, after: Snapshot): readonly string[] {
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
