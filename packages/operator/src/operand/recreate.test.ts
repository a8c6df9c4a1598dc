import { ConfigMap, Job, Pod } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Operand, operandManager } from "./index.ts";

const config: EmbeddedObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "default", annotations: { "operand.levelset.dev/recreate": "true" } },
  data: { value: "ours" },
};

describe("an object that is not ours yet, and is therefore not followed,", () => {
  test("is made anew at once when a field of it cannot be changed", async () => {
    await using cluster = await testCluster();
    const before = await cluster.create(ConfigMap, { name: "a", data: { value: "theirs" }, immutable: true });
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [config] } });
    expect(await cluster.settled(Operand, "shop")).toBeReady();
    const after = await cluster.get(ConfigMap, "a");
    expect(after?.data).toEqual({ value: "ours" });
    expect(after?.metadata.uid).not.toBe(before.metadata.uid);
  });

  test("is waited for while it is being deleted, and made when it is gone", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a" });
    await cluster.patch(ConfigMap, "a", { metadata: { finalizers: ["example.com/slow"] } });
    await cluster.delete(ConfigMap, "a");
    cluster.run(operandManager());
    await cluster.apply(Operand, { name: "shop", spec: { steadyState: [config] } });
    expect(await cluster.settled(Operand, "shop")).not.toBeReady();
    await cluster.patch(ConfigMap, "a", { metadata: { finalizers: null } });
    await cluster.clock.advance(3_000);
    expect(await cluster.settled(Operand, "shop")).toBeReady();
    expect((await cluster.get(ConfigMap, "a"))?.data).toEqual({ value: "ours" });
  });
});

test("a Job that is made anew leaves no pods of the one before", async () => {
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
  const before = await cluster.settled(Job, "a");
  await cluster.apply(Operand, { name: "shop", spec: { steadyState: [job("web:2")] } });
  await cluster.clock.advance(60_000);
  expect(await cluster.settled(Operand, "shop")).toBeReady();
  expect((await cluster.settled(Job, "a")).metadata.uid).not.toBe(before.metadata.uid);
  const images = (await cluster.list(Pod)).map(({ spec }) => spec?.containers[0]?.image);
  expect(images).toEqual(["web:2"]);
});
