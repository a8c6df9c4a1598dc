import { Deployment } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import simple, { Simple } from "../01-simple/simple.ts";

test("10/5 becomes 2", async () => {
  await using cluster = await testCluster();
  cluster.run(simple); // installs its CRD, then starts it
  await cluster.apply(Simple, { name: "a", spec: { dividend: 10, divisor: 5 } });
  const object = await cluster.settled(Simple, "a"); // when nothing moves any more
  expect(object).toBeReady();
  expect(object.status?.quotient).toBe(2);
  expect(cluster.writes(Simple, "a")).toBe(1); // counts, not times
});

const base = await testCluster({ kinds: [Simple] });
await base.apply(Simple, { name: "a", spec: { dividend: 10, divisor: 5 } });

test("a copy of a cluster goes its own way", async () => {
  await using cluster = await base.fork(); // same objects, history and time; nothing runs in it yet
  cluster.run(simple);
  expect(await cluster.settled(Simple, "a")).toBeReady();
  expect(await base.get(Simple, "a")).not.toBeReady();
});

test("a Deployment comes true where workloads are simulated", async () => {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "web:1" }] } };
  await using cluster = await testCluster({ workloads: true });
  await cluster.apply(Deployment, { name: "web", spec: { replicas: 3, selector: { matchLabels: labels }, template } });
  await cluster.clock.advance(1_000); // time moves only by hand
  expect((await cluster.settled(Deployment, "web")).status?.availableReplicas).toBe(3);
});
