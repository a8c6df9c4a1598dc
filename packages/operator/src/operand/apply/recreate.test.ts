import { ConfigMap, Job, Pod, Secret } from "@levelset/core";
import type { EmbeddedObject, JsonObject } from "@levelset/core";
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

test("an object with another invalid field is not recreated, whatever its name", async () => {
  const settings = (name: string, type: string, data: JsonObject): EmbeddedObject => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: "default", annotations: { "operand.levelset.dev/recreate": "true" } },
    type,
    stringData: data,
  });
  await using cluster = await testCluster();
  cluster.run(operandManager());
  const valid = [settings("immutable-web", "Opaque", { a: "1" }), settings("b", "Opaque", { a: "1" })];
  await cluster.apply(Operand, { name: "shop", spec: { steadyState: valid } });
  expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
  const before = (await cluster.list(Secret)).map(({ metadata }) => metadata.uid);
  const invalid = [
    settings("immutable-web", "Opaque", { "is immutable": "1" }),
    settings("b", "kubernetes.io/tls", { a: "1" }), // the type is immutable, and the new type requires other keys
  ];
  await cluster.apply(Operand, { name: "shop", spec: { steadyState: invalid } });
  expect((await cluster.untilSettled(Operand, "shop")).status?.failing).toMatchObject([
    { name: "immutable-web", reason: "Invalid" },
    { name: "b", reason: "Invalid" },
  ]);
  expect((await cluster.list(Secret)).map(({ metadata }) => metadata.uid)).toEqual(before);
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
