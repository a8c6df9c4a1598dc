import { CEL_DYN, celEnvironment, crdOf } from "@levelset/core";
import { checkRoundTrip } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";
import { Gateway, toV1 } from "./gateway.ts";

test("converting there and back loses nothing", () => {
  expect(() => checkRoundTrip(toV1, { seed: 1 })).not.toThrow();
});

test("the server fills in defaults and refuses what the declaration forbids", async () => {
  await using cluster = await testCluster({ kinds: [Gateway] });
  const spec = { listeners: [{ name: "web", port: 80 }], region: "eu" };
  expect((await cluster.create(Gateway, { name: "a", spec })).spec.replicas).toBe(1);
  await expect(cluster.patch(Gateway, "a", { spec: { region: "us" } })).rejects.toThrow("spec.region");
  const tls = { secretName: "a", passthrough: true };
  await expect(cluster.create(Gateway, { name: "b", spec: { ...spec, tls } })).rejects.toThrow("spec.tls");
  expect(crdOf(Gateway).metadata.name).toBe("gateways.example.com");
});

test("expressions can be used for anything", () => {
  const env = celEnvironment({ variables: { self: CEL_DYN } });
  const compiled = env.compile("self.items.all(i, i.ready)", { mode: "unchecked" });
  if (compiled.kind !== "program") throw new Error("it does not compile");
  const answer = compiled.program.evaluate({ self: { items: [{ ready: true }] } });
  expect(answer).toMatchObject({ kind: "value", value: true });
});
