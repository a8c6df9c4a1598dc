import { ConfigMap, Job, Pod } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Operand, operandManager } from "../index.ts";

const config: EmbeddedObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "default", annotations: { "operand.levelset.dev/recreate": "true" } },
  data: { value: "ours" },
};

describe("an object that is not ours yet, and therefore not watched,", () => {
  test("is recreated at once when an immutable field changes", async () => {
    await using cluster = await testCluster();
    const before = await cluster.create(ConfigMap, { name: "a", data: { value: "theirs" }, immutable: true });
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [config] } });
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    const after = await cluster.get(ConfigMap, "a");
    expect(after?.data).toEqual({ value: "ours" });
    expect(after?.metadata.uid).not.toBe(before.metadata.uid);
  });

  test("is created once its deletion has completed", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a" });
    await cluster.patch(ConfigMap, "a", { metadata: { finalizers: ["example.com/slow"] } });
    await cluster.delete(ConfigMap, "a");
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [config] } });
    expect(await cluster.untilSettled(Operand, "shop")).not.toBeReady();
    await cluster.patch(ConfigMap, "a", { metadata: { finalizers: null } });
    await cluster.clock.advance(3_000);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect((await cluster.get(ConfigMap, "a"))?.data).toEqual({ value: "ours" });
  });
});

test("a recreated Job leaves no pods of the previous one", async () => {
  const job = (image: string): EmbeddedObject => ({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "a", namespace: "default", annotations: { "operand.levelset.dev/recreate": "true" } },
    spec: {
      template: {
        metadata: { annotations: { "sim.levelset.dev/run-for": "10m" } },
        spec: { restartPolicy: "Never", containers: [{ name: "main", image }] },
      },
    },
  });
  await using cluster = await testCluster({ workloads: true });
  cluster.run(operandManager());
  await cluster.apply(Operand, { name: "shop", spec: { steadyState: [job("web:1")] } });
  await cluster.clock.advance(5_000);
  const before = await cluster.untilSettled(Job, "a");
  await cluster.apply(Operand, { name: "shop", spec: { steadyState: [job("web:2")] } });
  await cluster.clock.advance(60_000);
  expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  expect((await cluster.untilSettled(Job, "a")).metadata.uid).not.toBe(before.metadata.uid);
  const images = (await cluster.list(Pod)).map(({ spec }) => spec?.containers[0]?.image);
  expect(images).toEqual(["web:2"]);
});
