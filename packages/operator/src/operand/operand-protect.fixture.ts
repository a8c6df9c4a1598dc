import { childFinalizerName } from "@levelset/core/internal";
import { ConfigMap, kind, s } from "@levelset/core";
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
/** A namespaced kind that installs ConfigMaps. */
export const Suite = kind({ ...GROUP, ...SPEC, kind: "Suite" });
/** Type of {@link Suite}. */
export type Suite = typeof Suite;
/** The same kind, cluster-scoped. */
export const Estate = kind({ ...GROUP, ...SPEC, kind: "Estate", scope: "Cluster" });

/** Finalizer of the protected Operand. */
export const HELD = childFinalizerName(Suite);
/** Condition of a Suite whose Operand was deleted by another client. */
export const DELETED = {
  severity: "Error",
  reason: "ChildDeleted",
  message:
    "operand/default.a is being deleted but is still needed; its finalizer stays until this object is deleted too",
} as const;

/** Returns the operators of a Suite or Estate and of Operand. */
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

/** Returns the names of the existing ConfigMaps. */
export async function configs(cluster: TestCluster): Promise<readonly string[]> {
  await cluster.untilIdle();
  const all = await cluster.list(ConfigMap, "default");
  return all.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

/** Returns the finalizers of an Operand; undefined if it is gone. */
export async function finalizers(cluster: TestCluster, name = "default.a"): Promise<readonly string[] | undefined> {
  await cluster.untilIdle();
  return (await cluster.get(Operand, name))?.metadata.finalizers;
}

/** Number of a write that never happens: a run without faults. */
export const CLEAN = 1_000_000;

const isOurWrite: RequestFilter = (request) => isWrite(request) && /\/suites\/|\/operands\/[^/]+$/u.test(request.path);

async function calm(cluster: TestCluster): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await cluster.untilIdle();
    if (cluster.faults.isCrashed) {
      cluster.faults.restart();
      cluster.run(everything());
    }
    await cluster.clock.advance(60_000);
  }
  await cluster.untilIdle();
}

/** Installs a set, lets another client delete its Operand, and deletes the owner. Returns the number of writes. */
export async function protectedLife(nth: number, fault: Fault): Promise<number> {
  await using cluster = await testCluster({ seed: nth });
  cluster.run(everything());
  cluster.faults.failNth(nth, fault, isOurWrite);
  await cluster.create(Suite, { name: "a", spec: { configs: ["x", "y"] } });
  await calm(cluster);
  expect(await cluster.untilSettled(Suite, "a")).toBeReady();
  expect(await finalizers(cluster)).toContain(HELD);
  await cluster.delete(Operand, "default.a");
  await calm(cluster);
  expect(await cluster.untilSettled(Suite, "a")).toHaveCondition("SoftwareReady", "False", DELETED);
  expect(await configs(cluster)).toEqual(["x", "y"]);
  await cluster.delete(Suite, "a");
  await calm(cluster);
  await cluster.untilDeleted(Suite, "a");
  expect([await cluster.list(Operand), await cluster.list(ClusterActiveOperand), await configs(cluster)]).toEqual([
    [],
    [],
    [],
  ]);
  return cluster.faults.count(isOurWrite);
}
