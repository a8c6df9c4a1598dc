import { ConfigMap, findCondition } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import type { RecordedRequest } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Operand, operandManager } from "../index.ts";
import { PRUNE_AFTER_ANNOTATION, PRUNING } from "../spec/labels-and-annotations.ts";

const config = (name: string): EmbeddedObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data: { a: "1" },
});

const annotationsOf = async (cluster: TestCluster, name: string): Promise<unknown> =>
  (await cluster.get(ConfigMap, name))?.metadata.annotations;

describe("the mark of an interrupted prune on a desired object", () => {
  test.for(["Correct", "Report"] as const)("is removed and is no drift, with drift mode %s", async (mode) => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    const spec = { steadyState: [config("x")], drift: { mode } };
    await cluster.apply(Operand, { name: "a", spec });
    expect(await cluster.untilSettled(Operand, "a")).toBeReady();
    const writes = cluster.writes(ConfigMap, "x");
    await cluster.patch(ConfigMap, "x", { metadata: { annotations: { [PRUNING]: "another-uid" } } });
    const operand = await cluster.untilSettled(Operand, "a");
    expect(await annotationsOf(cluster, "x")).toBeUndefined();
    expect(operand).toBeReady();
    expect(findCondition(operand.status?.conditions, "Drifted")?.status).not.toBe("True");
    await cluster.clock.advance(60_000);
    await cluster.untilIdle();
    expect(cluster.writes(ConfigMap, "x") - writes).toBeLessThanOrEqual(2);
  });
});

test("an object that cannot be reclaimed is reported and not counted; the rest of the set is applied", async () => {
  await using cluster = await testCluster();
  cluster.run(operandManager());
  const prune = { mode: "Deferred", after: "1h" } as const;
  await cluster.apply(Operand, { name: "a", spec: { steadyState: [config("x"), config("y")], prune } });
  await cluster.untilSettled(Operand, "a");
  await cluster.patch(Operand, "a", { spec: { steadyState: [config("y")] } });
  await cluster.untilSettled(Operand, "a");
  expect(await annotationsOf(cluster, "x")).toHaveProperty([PRUNE_AFTER_ANNOTATION]);
  const isWriteOfX = ({ method, path }: RecordedRequest): boolean =>
    method === "PATCH" && path.endsWith("/configmaps/x");
  for (let nth = 1; nth <= 8; nth++) {
    cluster.faults.failNth(nth, { kind: "status", reason: "Forbidden" }, isWriteOfX);
  }
  await cluster.patch(Operand, "a", { spec: { steadyState: [config("x"), config("y"), config("z")] } });
  const failed = await cluster.untilSettled(Operand, "a");
  expect(failed.status?.installedSteadyStateGeneration).toBeUndefined();
  expect(failed.status?.failing).toMatchObject([{ kind: "ConfigMap", name: "x", reason: "Forbidden" }]);
  expect(await cluster.get(ConfigMap, "z")).toBeDefined();
  await cluster.clock.advance(600_000);
  expect(await cluster.untilSettled(Operand, "a")).toBeReady();
  expect(await annotationsOf(cluster, "x")).toBeUndefined();
});
