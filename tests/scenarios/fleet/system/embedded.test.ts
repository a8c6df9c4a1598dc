import { Job } from "@levelset/core";
import { readyOf } from "@levelset/fleet/client";
import { describe, expect, test } from "vitest";
import { ADAPTERS, runWithCrash } from "./adapter-crash.ts";
import { untilDeleted, namespacesLeft, untilReadyAt } from "./observations.ts";
import { defineScenarios } from "./scenarios.ts";
import { VirtualSystem } from "./virtual-system.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

defineScenarios((options) => VirtualSystem.open(options));

test("the validation in TypeScript behaves like the one in YAML", async () => {
  await using harness = await VirtualSystem.open({ validation: "typescript" });
  const { system } = harness;
  const cluster = await system.cluster("eu-1");
  await untilReadyAt(harness, [cluster], 1);
  await system.clusters.patch(cluster.id, { spec: { region: "us" } });
  await untilReadyAt(harness, [cluster], 2);
  const [check] = await harness.cluster.list(Job);
  expect(check?.spec.template.spec.containers[0]?.args).toEqual(["us", "1.0"]);
  await system.clusters.delete(cluster.id);
  await untilDeleted(harness, [cluster]);
  expect(await namespacesLeft(harness)).toEqual([]);
});

test.each(ADAPTERS)("%s continues after a crash right after a write", async (adapter) => {
  await using harness = await VirtualSystem.open();
  expect(await runWithCrash(harness, adapter, 2)).toBe("died");
});

test("an adapter that cannot reach its cluster reports it, and recovers", async () => {
  await using harness = await VirtualSystem.open();
  const { system } = harness;
  const health = async (id: string): Promise<readonly (string | undefined)[]> => {
    const found: (string | undefined)[] = [];
    for await (const { adapter, progress, conditions } of system.clusters.statuses(id)) {
      if (adapter !== "validation") continue;
      found.push((progress?.conditions ?? conditions).find(({ type }) => type === "Health")?.status);
    }
    return found;
  };
  system.cut.add("clusters/validation");
  const cluster = await system.cluster("eu-1");
  await harness.until(
    "the adapter reports that it is unhealthy",
    async () => (await health(cluster.id))[0] === "False",
  );
  expect(readyOf(await system.get(cluster.id))?.status).toBe("False");
  system.cut.clear();
  await untilReadyAt(harness, [cluster], 1);
  expect(await health(cluster.id)).toEqual(["True"]);
});

describe("at rest", () => {
  test("a Ready resource is pulsed once per TTL", async () => {
    await using harness = await VirtualSystem.open();
    const { system } = harness;
    const clusters = await Promise.all(["eu-1", "eu-2", "us-1"].map((name) => system.cluster(name)));
    const [first] = clusters;
    const pool = first === undefined ? [] : [await system.pool(first, "blue", { replicas: 1 })];
    await untilReadyAt(harness, [...clusters, ...pool], 1);
    await harness.advance(MINUTE_MS);
    const from = harness.now;
    system.pulses.length = 0;
    await harness.advance(HOUR_MS - 2 * MINUTE_MS);
    for (const { id } of [...clusters, ...pool]) {
      // Half an hour after the last report plus up to a tenth of jitter.
      const times = system.pulses.filter((pulse) => pulse.id === id).map(({ time }) => (time - from) / MINUTE_MS);
      expect(times).toHaveLength(1);
      expect(times[0]).toBeGreaterThan(28);
      expect(times[0]).toBeLessThan(33);
    }
    for (const [, resource] of await system.all()) expect(readyOf(resource)?.status).toBe("True");
  });

  test("a resource that is not Ready is pulsed every ten seconds, and others are unaffected", async () => {
    await using harness = await VirtualSystem.open();
    const { system } = harness;
    const [stuck, healthy] = [
      await system.cluster("eu-1", { version: "does-not-exist" }),
      await system.cluster("eu-2"),
    ];
    await untilReadyAt(harness, [healthy], 1);
    await harness.advance(MINUTE_MS);
    system.pulses.length = 0;
    await harness.advance(5 * MINUTE_MS);
    const counts = [stuck, healthy].map(({ id }) => system.pulses.filter((pulse) => pulse.id === id).length);
    expect(counts[0]).toBeGreaterThanOrEqual(29);
    expect(counts[0]).toBeLessThanOrEqual(30);
    expect(counts[1]).toBe(0);
  });

  test("a Job that its TTL removes runs once per refresh, and its cluster stays Ready", async () => {
    await using harness = await VirtualSystem.open({ jobTtlSeconds: 5 });
    const { system } = harness;
    const cluster = await system.cluster("eu-1");
    await untilReadyAt(harness, [cluster], 1);
    const created = (): number =>
      harness.cluster.faults.count(({ method, path }) => method === "PATCH" && path.endsWith("/jobs/validation"));
    await harness.advance(MINUTE_MS);
    expect(await harness.cluster.list(Job)).toEqual([]);
    const [before, from] = [created(), system.pulses.length];
    for (let minute = 0; minute < 60; minute += 1) {
      await harness.advance(MINUTE_MS);
      expect(readyOf(await system.get(cluster.id))?.status).toBe("True");
    }
    const refreshes = system.pulses.length - from;
    expect(refreshes).toBeGreaterThan(0);
    expect(created() - before).toBeLessThanOrEqual(refreshes);
    expect(await harness.cluster.list(Job)).toEqual([]);
  });
});
