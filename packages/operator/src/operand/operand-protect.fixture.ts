import { childFinalizerName, ConfigMap, kind, s } from "@levelset/core";
import type { Runnable } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect } from "vitest";
import { manager, operator } from "../manager/index.ts";
import { ClusterActiveOperand, manifestOf, Operand, operand, operandOperators } from "./index.ts";

const GROUP = { group: "test.levelset.dev", version: "v1" };
const SPEC = { spec: s.object({ configs: s.array(s.string()), operandName: s.string().optional() }) };
/** An object in a namespace that installs ConfigMaps. */
export const Suite = kind({ ...GROUP, ...SPEC, kind: "Suite" });
/** Its type. */
export type Suite = typeof Suite;
/** The same in no namespace. */
export const Estate = kind({ ...GROUP, ...SPEC, kind: "Estate", scope: "Cluster" });

/** The finalizer of its protected Operand. */
export const HELD = childFinalizerName(Suite);
/** What a Suite says of its Operand when another client has deleted it. */
export const DELETED = {
  severity: "Error",
  reason: "ChildDeleted",
  message: "operand/default.a is being deleted though it is needed; it is held until this object is deleted too",
} as const;

/** The operators of a Suite, or an Estate, and of Operand. */
export function everything(owner: Suite = Suite, protect = true): Runnable {
  const software = operand(owner, "Software", {
    condition: "SoftwareReady",
    protect,
    steadyState: ({ spec }) =>
      spec.configs.map((name) => manifestOf(ConfigMap, { metadata: { name, namespace: "default" } })),
    name: ({ spec, namespace, name }) => spec.operandName ?? `${namespace ?? "cluster"}.${name}`,
  });
  return manager([operator(owner, [software]), ...operandOperators()]);
}

/** The ConfigMaps that are there. */
export async function configs(cluster: TestCluster): Promise<readonly string[]> {
  await cluster.rest();
  const all = await cluster.list(ConfigMap, "default");
  return all.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

/** The finalizers of an Operand; undefined when it is gone. */
export async function finalizers(cluster: TestCluster, name = "default.a"): Promise<readonly string[] | undefined> {
  await cluster.rest();
  return (await cluster.get(Operand, name))?.metadata.finalizers;
}

/** The number of a write that there never is. */
export const CLEAN = 1_000_000;

const isOurWrite: RequestFilter = (request) => isWrite(request) && /\/suites\/|\/operands\/[^/]+$/u.test(request.path);

async function calm(cluster: TestCluster): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await cluster.rest();
    if (cluster.faults.isCrashed) {
      cluster.faults.revive();
      cluster.run(everything());
    }
    await cluster.clock.advance(60_000);
  }
  await cluster.rest();
}

/** Installs a set, lets another client delete its Operand, and deletes the owner. Returns the number of writes. */
export async function protectedLife(nth: number, fault: Fault): Promise<number> {
  await using cluster = await testCluster({ seed: nth });
  cluster.run(everything());
  cluster.faults.failNth(nth, fault, isOurWrite);
  await cluster.create(Suite, { name: "a", spec: { configs: ["x", "y"] } });
  await calm(cluster);
  expect(await cluster.settled(Suite, "a")).toBeReady();
  expect(await finalizers(cluster)).toContain(HELD);
  await cluster.delete(Operand, "default.a");
  await calm(cluster);
  expect(await cluster.settled(Suite, "a")).toHaveCondition("SoftwareReady", "False", DELETED);
  expect(await configs(cluster)).toEqual(["x", "y"]);
  await cluster.delete(Suite, "a");
  await calm(cluster);
  await cluster.gone(Suite, "a");
  expect([await cluster.list(Operand), await cluster.list(ClusterActiveOperand), await configs(cluster)]).toEqual([
    [],
    [],
    [],
  ]);
  return cluster.faults.count(isOurWrite);
}
