import { ConfigMap, isDeleting, Job, kind, s } from "@levelset/core";
import { REMOTE_OWNER_ANNOTATION } from "@levelset/core/internal";
import type { EmbeddedObject, Fetch, KubeObject, Runnable } from "@levelset/core";
import type { RecordedRequest } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { ok, step } from "../../engine/index.ts";
import { child, job, jobRecord } from "../../steps/index.ts";
import { ClusterActiveOperand, Operand, operandManager } from "../index.ts";

/** Records the kinds of deleted objects and whether each deletion has uid and resourceVersion preconditions. */
class Deletions {
  readonly plurals = new Set<string>();
  readonly unguarded: string[] = [];

  wrap(runnable: Runnable): Runnable {
    const guarded =
      (fetch: Fetch): Fetch =>
      async (request) => {
        if (request.method === "DELETE") await this.#record(request.clone());
        return fetch(request);
      };
    return { ...runnable, start: (world) => runnable.start({ ...world, fetch: guarded(world.fetch) }) };
  }

  async #record(request: Request): Promise<void> {
    const { pathname } = new URL(request.url);
    this.plurals.add(pathname.split("/").at(-2) ?? "");
    const { preconditions } = (await request.json()) as { readonly preconditions?: Readonly<Record<string, string>> };
    if (preconditions?.["uid"] === undefined || preconditions["resourceVersion"] === undefined) {
      this.unguarded.push(pathname);
    }
  }
}

const config = (name: string, value: string): EmbeddedObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", annotations: { "operand.levelset.dev/recreate": "true" } },
  data: { value },
  immutable: true,
});

test("an Operand deletes objects, inventories and revisions with uid and resourceVersion preconditions", async () => {
  await using cluster = await testCluster();
  const deletions = new Deletions();
  cluster.run(deletions.wrap(operandManager()));
  const specs = [[config("x", "1"), config("y", "1")], [config("y", "2")], []];
  for (const steadyState of specs) {
    await cluster.apply(Operand, { name: "a", spec: { steadyState, revisionHistoryLimit: 1 } });
    for (let turn = 0; turn < 5; turn++) await cluster.clock.advance(1_000);
    expect(await cluster.untilSettled(Operand, "a")).toBeReady();
  }
  await cluster.delete(Operand, "a");
  await cluster.untilDeleted(Operand, "a");
  expect([...deletions.plurals].toSorted()).toEqual(["clusteractiveoperands", "configmaps", "operandrevisions"]);
  expect(deletions.unguarded).toEqual([]);
});

test("an inventory that changes before its deletion is read again and deleted", async () => {
  await using cluster = await testCluster();
  cluster.run(operandManager());
  const isDeletion = ({ method, path }: RecordedRequest): boolean =>
    method === "DELETE" && path.includes("/clusteractiveoperands/");
  await cluster.apply(Operand, { name: "a", spec: { steadyState: [config("x", "1")] } });
  expect(await cluster.untilSettled(Operand, "a")).toBeReady();
  cluster.faults.failNth(1, { kind: "status", reason: "Conflict" }, isDeletion);
  await cluster.apply(Operand, { name: "a", spec: { steadyState: [] } });
  expect(await cluster.untilSettled(Operand, "a")).toBeReady();
  expect(cluster.faults.count(isDeletion)).toBe(2);
  expect(await cluster.list(ClusterActiveOperand)).toHaveLength(1);
});

/** Creates a ConfigMap that blocks the foreground deletion of its owner, and is not gone until its finalizer is removed. */
async function createDependent(cluster: TestCluster, name: string, owner: KubeObject): Promise<void> {
  const { apiVersion, kind: ownerKind, metadata } = owner;
  const reference = { apiVersion, kind: ownerKind, name: metadata.name, uid: metadata.uid, blockOwnerDeletion: true };
  await cluster.create(ConfigMap, { name, ownerReferences: [reference], finalizers: ["example.com/hold"] });
}

test("objects and inventories are deleted in the background: their dependents are deleted too and do not delay them", async () => {
  await using cluster = await testCluster();
  cluster.run(operandManager());
  await cluster.apply(Operand, { name: "a", spec: { steadyState: [config("x", "1"), config("y", "1")] } });
  expect(await cluster.untilSettled(Operand, "a")).toBeReady();
  const [inventory] = await cluster.list(ClusterActiveOperand);
  const pruned = await cluster.get(ConfigMap, "x");
  if (inventory === undefined || pruned === undefined) throw new Error("the set is not installed");
  await createDependent(cluster, "of-object", pruned);
  await createDependent(cluster, "of-inventory", inventory);
  await cluster.apply(Operand, { name: "a", spec: { steadyState: [config("y", "1")] } });
  for (let turn = 0; turn < 5; turn++) await cluster.clock.advance(1_000);
  expect(await cluster.untilSettled(Operand, "a")).toBeReady();
  const left = (await cluster.list(ConfigMap)).filter(({ metadata }) => metadata.name !== "kube-root-ca.crt");
  expect(left.map((object) => [object.metadata.name, isDeleting(object)])).toEqual([
    ["of-inventory", true],
    ["of-object", true],
    ["y", false],
  ]);
  expect((await cluster.list(ClusterActiveOperand)).map(({ metadata }) => metadata.uid)).not.toContain(
    inventory.metadata.uid,
  );
});

const Thing = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Thing",
  spec: s.object({ has: s.boolean().default(true), image: s.string().default("c:1") }),
  status: s.object({ checked: jobRecord.optional() }),
});

test("steps delete children, Jobs and remote children with uid and resourceVersion preconditions", async () => {
  await using cluster = await testCluster({ kinds: [Thing] });
  const deletions = new Deletions();
  const things = operator(Thing, [
    child(Thing, "Settings", {
      kind: ConfigMap,
      desired: ({ name, spec }) => (spec.has ? { metadata: { name }, data: { a: "1" } } : undefined),
    }),
    child(Thing, "More", {
      kind: ConfigMap,
      desired: ({ name }) => ({ metadata: { name: `${name}-more` }, data: {} }),
    }),
    job(Thing, "Check", {
      statusField: "checked",
      desired: ({ name, spec: { image } }) => ({
        metadata: { name },
        spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image }] } } },
      }),
    }),
    step(Thing, "Clean", { cleanup: () => ok() }),
  ]);
  cluster.run(deletions.wrap(things));
  await cluster.create(Thing, { name: "a", annotations: { [REMOTE_OWNER_ANNOTATION]: "true" }, spec: {} });
  await cluster.untilIdle();
  await cluster.patch(Thing, "a", { spec: { has: false, image: "c:2" } });
  for (let turn = 0; turn < 5; turn++) await cluster.clock.advance(1_000);
  await cluster.delete(Thing, "a");
  for (let turn = 0; turn < 5; turn++) await cluster.clock.advance(1_000);
  await cluster.untilDeleted(Thing, "a");
  expect([...deletions.plurals].toSorted()).toEqual(["configmaps", "jobs"]);
  expect(deletions.unguarded).toEqual([]);
  expect(await cluster.list(Job)).toEqual([]);
});
