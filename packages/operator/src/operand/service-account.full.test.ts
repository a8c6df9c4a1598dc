import { ConfigMap } from "@levelset/core";
import type { EmbeddedObject, JsonObject } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import type { Fault } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { ClusterActiveOperand, Operand, operandManager } from "./index.ts";
import { AccountGuard } from "./service-account.fixture.ts";

const ACCOUNT = { serviceAccountNamespace: "shop", serviceAccountName: "installer" };
const USERS = new Set(["system:serviceaccount:shop:installer", "system:serviceaccount:shop:other"]);
const config = (name: string, value = "1"): EmbeddedObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data: { value },
});

async function apply(cluster: TestCluster, spec: JsonObject): Promise<void> {
  await cluster.apply(Operand, { name: "shop", spec });
}

async function names(cluster: TestCluster): Promise<readonly string[]> {
  const all = await cluster.list(ConfigMap, "default");
  return all.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

test.each<Fault>([
  { kind: "refused" },
  { kind: "response-lost" },
  { kind: "status", reason: "Conflict" },
  { kind: "crash" },
])("a set of a service account is installed, changed and removed when any one write fails with %j", async (fault) => {
  const life = async (nth: number): Promise<number> => {
    await using cluster = await testCluster({ seed: nth });
    const guard = new AccountGuard();
    const calm = async (): Promise<void> => {
      for (let round = 0; round < 2; round++) {
        await cluster.untilIdle();
        if (cluster.faults.isCrashed) {
          cluster.faults.restart();
          cluster.run(guard.wrap(operandManager()));
        }
        await cluster.clock.advance(60_000);
      }
      await cluster.untilIdle();
    };
    cluster.run(guard.wrap(operandManager()));
    await cluster.untilIdle();
    const isOurs = (request: Parameters<typeof isWrite>[0]): boolean =>
      isWrite(request) && /\/(?:configmaps|operands|clusteractiveoperands)/u.test(request.path);
    cluster.faults.failNth(nth, fault, isOurs);
    await apply(cluster, { ...ACCOUNT, steadyState: [config("a"), config("b")] });
    await calm();
    await apply(cluster, { ...ACCOUNT, serviceAccountName: "other", steadyState: [config("a", "2")] });
    await calm();
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect((await cluster.get(ConfigMap, "a"))?.data).toEqual({ value: "2" });
    expect(await names(cluster)).toEqual(["a"]);
    await cluster.delete(Operand, "shop");
    await calm();
    expect([await names(cluster), await cluster.list(ClusterActiveOperand)]).toEqual([[], []]);
    expect(guard.users).toEqual(USERS);
    return cluster.faults.count(isOurs);
  };
  const writes = await life(1_000_000);
  expect(writes).toBeGreaterThan(8);
  for (let nth = 1; nth <= writes; nth++) await life(nth);
});
