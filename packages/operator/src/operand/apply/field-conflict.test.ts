import { ConfigMap, findCondition, StatusError } from "@levelset/core";
import type { EmbeddedObject, JsonObject, KubeObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import type { ClientContext } from "../../apply/index.ts";
import { Operand, operandManager } from "../index.ts";
import { findFieldConflict } from "./field-conflict.ts";

const settings = (data: JsonObject): EmbeddedObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings", namespace: "default" },
  data,
});

describe("two Operands with the same object", () => {
  test("do not fight: the newer one wins, the older one reports it and takes over once the newer is gone", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "old", spec: { steadyState: [settings({ version: "1", log: "info" })] } });
    expect(await cluster.untilSettled(Operand, "old")).toBeReady();
    await cluster.clock.advance(20_000);
    await cluster.apply(Operand, { name: "young", spec: { steadyState: [settings({ version: "2" })] } });
    expect(await cluster.untilSettled(Operand, "young")).toBeReady();
    await cluster.clock.advance(20_000);
    const taken = await cluster.get(ConfigMap, "settings");
    expect(taken?.data).toEqual({ version: "2", log: "info" });
    const old = await cluster.get(Operand, "old");
    expect(old).not.toBeReady();
    expect(findCondition(old?.status?.conditions, "OperandInstalled")).toMatchObject({
      status: "False",
      reason: "Failed",
      message:
        "post-install: configmap/settings in default: operand/young, which is newer, sets other values: .data.version",
    });
    expect(old?.status?.failing).toMatchObject([{ name: "settings", reason: "Conflict" }]);
    await cluster.clock.advance(20_000);
    const later = await cluster.get(ConfigMap, "settings");
    expect(later?.metadata.resourceVersion).toBe(taken?.metadata.resourceVersion);
    expect(await cluster.get(Operand, "young")).toBeReady();

    await cluster.delete(Operand, "young");
    await cluster.untilDeleted(Operand, "young");
    expect(await cluster.untilSettled(Operand, "old")).toBeReady();
    expect((await cluster.get(ConfigMap, "settings"))?.data).toEqual({ version: "1", log: "info" });
  });

  test("share it if they set the same values", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    for (const name of ["old", "young"]) {
      await cluster.apply(Operand, { name, spec: { steadyState: [settings({ version: "1" })] } });
      await cluster.clock.advance(20_000);
    }
    for (const name of ["old", "young"]) expect(await cluster.untilSettled(Operand, name)).toBeReady();
  });

  test("report the owning Operand if conflicts is Fail", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "old", spec: { steadyState: [settings({ version: "1" })] } });
    expect(await cluster.untilSettled(Operand, "old")).toBeReady();
    const spec = { conflicts: "Fail" as const, steadyState: [settings({ version: "2" })] };
    await cluster.apply(Operand, { name: "young", spec });
    await cluster.clock.advance(20_000);
    expect((await cluster.get(Operand, "young"))?.status?.failing).toMatchObject([
      { reason: "Conflict", message: "operand/old sets other values: .data.version" },
    ]);
    expect(await cluster.get(Operand, "old")).toBeReady();
  });
});

test("a rejection with another cause is not a field conflict, whatever its message", async () => {
  const causes = [{ reason: "UnexpectedServerResponse", message: 'conflict with "a"', field: ".data.version" }];
  const error = new StatusError("Conflict", "try again", { details: { causes } });
  const operand: KubeObject = {
    apiVersion: "operand.levelset.dev/v1alpha1",
    kind: "Operand",
    metadata: { name: "a", uid: "1", resourceVersion: "1" },
  };
  const unused = {} as ClientContext; // Operands are read only for a field conflict
  expect(await findFieldConflict(error, operand, unused)).toBeUndefined();
});
