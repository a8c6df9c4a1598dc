import { ConfigMap } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import operator, { Widget } from "./my-operator.ts";

test("writes the greeting and becomes ready", async () => {
  await using cluster = await testCluster();
  cluster.run(operator);
  await cluster.apply(Widget, { name: "a", spec: { who: "world" } });
  const object = await cluster.untilSettled(Widget, "a");
  expect(object).toBeReady();
  expect(object.status?.text).toBe("Hello, world!");
});

test("restores a greeting that is edited or deleted", async () => {
  await using cluster = await testCluster();
  cluster.run(operator);
  await cluster.apply(Widget, { name: "a", spec: { who: "world" } });
  await cluster.untilSettled(Widget, "a");
  await cluster.patch(ConfigMap, "a", { data: { text: "Goodbye" } });
  expect((await cluster.untilSettled(ConfigMap, "a")).data).toEqual({ text: "Hello, world!" });
  await cluster.delete(ConfigMap, "a");
  expect((await cluster.untilSettled(ConfigMap, "a")).data).toEqual({ text: "Hello, world!" });
});

test("reports an invalid spec and becomes ready once it is fixed", async () => {
  await using cluster = await testCluster();
  cluster.run(operator);
  await cluster.apply(Widget, { name: "a", spec: { who: "admin" } });
  expect(await cluster.untilSettled(Widget, "a")).toHaveCondition("SpecValid", "False", { severity: "Error" });
  await cluster.patch(Widget, "a", { spec: { who: "world" } });
  expect(await cluster.untilSettled(Widget, "a")).toBeReady();
});
