import { ConfigMap } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import operator, { Widget } from "./my-operator.ts";

test("it writes a greeting and is ready", async () => {
  await using cluster = await testCluster();
  cluster.run(operator);
  await cluster.apply(Widget, { name: "a", spec: { who: "world" } });
  const object = await cluster.settled(Widget, "a");
  expect(object).toBeReady();
  expect(object.status?.text).toBe("Hello, world!");
});

test("a greeting that somebody edits or deletes comes back", async () => {
  await using cluster = await testCluster();
  cluster.run(operator);
  await cluster.apply(Widget, { name: "a", spec: { who: "world" } });
  await cluster.settled(Widget, "a");
  await cluster.patch(ConfigMap, "a", { data: { text: "Goodbye" } });
  expect((await cluster.settled(ConfigMap, "a")).data).toEqual({ text: "Hello, world!" });
  await cluster.delete(ConfigMap, "a");
  expect((await cluster.settled(ConfigMap, "a")).data).toEqual({ text: "Hello, world!" });
});

test("a spec that cannot work says so, and an edit mends it", async () => {
  await using cluster = await testCluster();
  cluster.run(operator);
  await cluster.apply(Widget, { name: "a", spec: { who: "nobody" } });
  expect(await cluster.settled(Widget, "a")).toHaveCondition("SpecValid", "False", { severity: "Error" });
  await cluster.patch(Widget, "a", { spec: { who: "somebody" } });
  expect(await cluster.settled(Widget, "a")).toBeReady();
});
