import { ConfigMap } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import { expect, test } from "vitest";
import { config } from "../../scenarios/operand/manifests.ts";

test("a copy of an inventory without an Operand does not block the deletion of the Operand", async () => {
  await using cluster = await testCluster({ workloads: true });
  cluster.run(operandManager());
  await cluster.apply(Operand, { name: "shop", spec: { steadyState: [config("default", "x", { v: "1" })] } });
  expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  const [inventory] = await cluster.list(ClusterActiveOperand);
  await cluster.create(ClusterActiveOperand, { name: "copy", spec: { live: inventory?.spec.live ?? [] } });
  await cluster.clock.advance(60_000);
  await cluster.delete(Operand, "shop");
  await cluster.clock.advance(60_000);
  await cluster.untilDeleted(Operand, "shop");
  expect(await cluster.get(ConfigMap, "x")).toBeUndefined();
  expect((await cluster.list(ClusterActiveOperand)).map(({ metadata }) => metadata.name)).toEqual(["copy"]);
});
