import { Deployment } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import simple, { Simple } from "../01-simple/simple.ts";

test("computes 10 / 5 = 2", async () => {
  await using cluster = await testCluster();
  cluster.run(simple); // installs its CRD, then starts it
  await cluster.apply(Simple, { name: "a", spec: { dividend: 10, divisor: 5 } });
  const object = await cluster.untilSettled(Simple, "a"); // waits until no more work is queued
  expect(object).toBeReady();
  expect(object.status?.quotient).toBe(2);
  expect(cluster.writes(Simple, "a")).toBe(1); // counts writes: no timing involved
});

const base = await testCluster({ kinds: [Simple] });
await base.apply(Simple, { name: "a", spec: { dividend: 10, divisor: 5 } });

test("a fork does not affect its base cluster", async () => {
  await using cluster = await base.fork(); // same objects, history and time; no operator runs in it yet
  cluster.run(simple);
  expect(await cluster.untilSettled(Simple, "a")).toBeReady();
  expect(await base.get(Simple, "a")).not.toBeReady();
});

test("a Deployment becomes available if workloads are simulated", async () => {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "web:1" }] } };
  await using cluster = await testCluster({ workloads: true });
  await cluster.apply(Deployment, { name: "web", spec: { replicas: 3, selector: { matchLabels: labels }, template } });
  await cluster.clock.advance(1_000); // virtual time advances only here
  expect((await cluster.untilSettled(Deployment, "web")).status?.availableReplicas).toBe(3);
});
