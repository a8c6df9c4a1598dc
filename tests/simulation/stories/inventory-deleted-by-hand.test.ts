import { ConfigMap, Secret } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import { expect, test } from "vitest";
import { config, secret } from "../../scenarios/operand/manifests.ts";

test("an Operand that is deleted after its inventory was deleted by hand leaves nothing behind", async () => {
  await using cluster = await testCluster({ workloads: true });
  const first = cluster.run(operandManager());
  const steadyState = [config("default", "x", { v: "1" }), secret("default", "s")];
  await cluster.apply(Operand, { name: "shop", spec: { steadyState } });
  expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  await cluster.clock.advance(60_000);
  const [inventory] = await cluster.list(ClusterActiveOperand);
  const name = inventory?.metadata.name ?? "";
  // The process dies when it has removed the finalizer of the inventory.
  cluster.faults.failNth(1, { kind: "crash" }, ({ method, path }) => {
    return method === "PATCH" && path.endsWith(`/clusteractiveoperands/${name}`);
  });
  await cluster.delete(ClusterActiveOperand, name);
  await cluster.clock.advance(60_000);
  expect(await cluster.list(ClusterActiveOperand)).toEqual([]);
  await first.stop();
  await cluster.delete(Operand, "shop");
  cluster.faults.restart();
  cluster.run(operandManager());
  await cluster.clock.advance(60_000);
  await cluster.untilDeleted(Operand, "shop");
  expect(await cluster.get(ConfigMap, "x")).toBeUndefined();
  expect(await cluster.get(Secret, "s")).toBeUndefined();
});
