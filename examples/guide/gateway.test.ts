import { CEL_DYN, celEnvironment } from "@levelset/core/cel";
import { crdOf } from "@levelset/core";
import { checkRoundTrip } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";
import { Gateway, toV1 } from "./gateway.ts";

test("a round trip through the conversion loses no data", () => {
  expect(() => checkRoundTrip(toV1, { seed: 1 })).not.toThrow();
});

test("the server applies defaults and rejects objects that violate the schema", async () => {
  await using cluster = await testCluster({ kinds: [Gateway] });
  const spec = { listeners: [{ name: "web", port: 80 }], region: "eu" };
  expect((await cluster.create(Gateway, { name: "a", spec })).spec.replicas).toBe(1);
  await expect(cluster.patch(Gateway, "a", { spec: { region: "us" } })).rejects.toThrow("spec.region");
  const tls = { secretName: "a", passthrough: true };
  await expect(cluster.create(Gateway, { name: "b", spec: { ...spec, tls } })).rejects.toThrow("spec.tls");
  expect(crdOf(Gateway).metadata.name).toBe("gateways.example.com");
});

test("the CEL evaluator works outside of schemas", () => {
  const env = celEnvironment({ variables: { self: CEL_DYN } });
  const compiled = env.compile("self.items.all(i, i.ready)", { mode: "unchecked" });
  if (compiled.kind !== "program") throw new Error("the expression does not compile");
  const result = compiled.program.evaluate({ self: { items: [{ ready: true }] } });
  expect(result).toMatchObject({ kind: "value", value: true });
});
