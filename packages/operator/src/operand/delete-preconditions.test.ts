import { ConfigMap, ELSEWHERE_ANNOTATION, Job, kind, s } from "@levelset/core";
import type { EmbeddedObject, Fetch, Runnable } from "@levelset/core";
import type { SeenRequest } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, step } from "../step/index.ts";
import { child, job, jobRecord } from "../steps/index.ts";
import { ClusterActiveOperand, Operand, operandManager } from "./index.ts";

/** The kinds of the objects that a process deletes, and whether each of its deletions names one version of one object. */
class Deletions {
  readonly plurals = new Set<string>();
  readonly unguarded: string[] = [];

  around(runnable: Runnable): Runnable {
    const guarded =
      (fetch: Fetch): Fetch =>
      async (request) => {
        if (request.method === "DELETE") await this.#note(request.clone());
        return fetch(request);
      };
    return { ...runnable, start: (world) => runnable.start({ ...world, fetch: guarded(world.fetch) }) };
  }

  async #note(request: Request): Promise<void> {
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

test("every deletion by an Operand names the uid and the version: pruned and recreated objects, inventories, revisions", async () => {
  await using cluster = await testCluster();
  const deletions = new Deletions();
  cluster.run(deletions.around(operandManager()));
  const specs = [[config("x", "1"), config("y", "1")], [config("y", "2")], []];
  for (const steadyState of specs) {
    await cluster.apply(Operand, { name: "a", spec: { steadyState, revisionHistoryLimit: 1 } });
    for (let turn = 0; turn < 5; turn++) await cluster.clock.advance(1_000);
    expect(await cluster.settled(Operand, "a")).toBeReady();
  }
  await cluster.delete(Operand, "a");
  await cluster.gone(Operand, "a");
  expect([...deletions.plurals].toSorted()).toEqual(["clusteractiveoperands", "configmaps", "operandrevisions"]);
  expect(deletions.unguarded).toEqual([]);
});

test("an inventory that changes before its deletion arrives is read again and deleted", async () => {
  await using cluster = await testCluster();
  cluster.run(operandManager());
  const isDeletion = ({ method, path }: SeenRequest): boolean =>
    method === "DELETE" && path.includes("/clusteractiveoperands/");
  await cluster.apply(Operand, { name: "a", spec: { steadyState: [config("x", "1")] } });
  expect(await cluster.settled(Operand, "a")).toBeReady();
  cluster.faults.failNth(1, { kind: "status", reason: "Conflict" }, isDeletion);
  await cluster.apply(Operand, { name: "a", spec: { steadyState: [] } });
  expect(await cluster.settled(Operand, "a")).toBeReady();
  expect(cluster.faults.count(isDeletion)).toBe(2);
  expect(await cluster.list(ClusterActiveOperand)).toHaveLength(1);
});

const Thing = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Thing",
  spec: s.object({ has: s.boolean().default(true), image: s.string().default("c:1") }),
  status: s.object({ checked: jobRecord.optional() }),
});

test("every deletion by a step names the uid and the version: children, Jobs, children of objects that live elsewhere", async () => {
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
      remember: "checked",
      desired: ({ name, spec: { image } }) => ({
        metadata: { name },
        spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image }] } } },
      }),
    }),
    step(Thing, "Clean", { cleanup: () => ok() }),
  ]);
  cluster.run(deletions.around(things));
  await cluster.create(Thing, { name: "a", annotations: { [ELSEWHERE_ANNOTATION]: "true" }, spec: {} });
  await cluster.rest();
  await cluster.patch(Thing, "a", { spec: { has: false, image: "c:2" } });
  for (let turn = 0; turn < 5; turn++) await cluster.clock.advance(1_000);
  await cluster.delete(Thing, "a");
  for (let turn = 0; turn < 5; turn++) await cluster.clock.advance(1_000);
  await cluster.gone(Thing, "a");
  expect([...deletions.plurals].toSorted()).toEqual(["configmaps", "jobs"]);
  expect(deletions.unguarded).toEqual([]);
  expect(await cluster.list(Job)).toEqual([]);
});
