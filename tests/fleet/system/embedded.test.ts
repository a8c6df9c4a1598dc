import { Job } from "@levelset/core";
import { readyOf } from "@levelset/fleet/client";
import { describe, expect, test } from "vitest";
import { ADAPTERS, livedThrough } from "./death.ts";
import { goneFrom, namespacesLeft, readyAt } from "./observations.ts";
import { defineScenarios } from "./scenarios.ts";
import { VirtualPlace } from "./virtual-place.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

defineScenarios((options) => VirtualPlace.open(options), 20_000);

test("the validation in TypeScript does what the one in YAML does", async () => {
  await using place = await VirtualPlace.open({ validation: "typescript" });
  const { system } = place;
  const cluster = await system.cluster("eu-1");
  await readyAt(place, [cluster], 1);
  await system.clusters.patch(cluster.id, { spec: { region: "us" } });
  await readyAt(place, [cluster], 2);
  const [check] = await place.cluster.list(Job);
  expect(check?.spec.template.spec.containers[0]?.args).toEqual(["us", "1.0"]);
  await system.clusters.delete(cluster.id);
  await goneFrom(place, [cluster]);
  expect(await namespacesLeft(place)).toEqual([]);
});

test.each(ADAPTERS)("%s goes on where it was after it died right after a write", async (adapter) => {
  await using place = await VirtualPlace.open();
  expect(await livedThrough(place, adapter, 2)).toBe("died");
});

test("an adapter that cannot reach its cluster says so, and recovers by itself", async () => {
  await using place = await VirtualPlace.open();
  const { system } = place;
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
  await place.until("it says that it is not well", async () => (await health(cluster.id))[0] === "False");
  expect(readyOf(await system.get(cluster.id))?.status).toBe("False");
  system.cut.clear();
  await readyAt(place, [cluster], 1);
  expect(await health(cluster.id)).toEqual(["True"]);
});

describe("at rest", () => {
  test("what is Ready is pulsed as often as its reports grow old, and not more", async () => {
    await using place = await VirtualPlace.open();
    const { system } = place;
    const clusters = await Promise.all(["eu-1", "eu-2", "us-1"].map((name) => system.cluster(name)));
    const [first] = clusters;
    const pool = first === undefined ? [] : [await system.pool(first, "blue", { replicas: 1 })];
    await readyAt(place, [...clusters, ...pool], 1);
    await place.pass(MINUTE_MS);
    const from = place.now;
    system.pulses.length = 0;
    await place.pass(HOUR_MS - 2 * MINUTE_MS);
    for (const { id } of [...clusters, ...pool]) {
      // Half an hour after the last report, and up to a tenth more, so that a fleet does not refresh all at once.
      const times = system.pulses.filter((pulse) => pulse.id === id).map(({ time }) => (time - from) / MINUTE_MS);
      expect(times).toHaveLength(1);
      expect(times[0]).toBeGreaterThan(28);
      expect(times[0]).toBeLessThan(33);
    }
    for (const [, resource] of await system.all()) expect(readyOf(resource)?.status).toBe("True");
  });

  test("what is not Ready is pulsed every ten seconds, and nothing else because of it", async () => {
    await using place = await VirtualPlace.open();
    const { system } = place;
    const [stuck, fine] = [await system.cluster("eu-1", { version: "does-not-exist" }), await system.cluster("eu-2")];
    await readyAt(place, [fine], 1);
    await place.pass(MINUTE_MS);
    system.pulses.length = 0;
    await place.pass(5 * MINUTE_MS);
    const counts = [stuck, fine].map(({ id }) => system.pulses.filter((pulse) => pulse.id === id).length);
    expect(counts[0]).toBeGreaterThanOrEqual(29);
    expect(counts[0]).toBeLessThanOrEqual(30);
    expect(counts[1]).toBe(0);
  });

  test("a Job that its TTL removes is run once per refresh, and its cluster stays Ready", async () => {
    await using place = await VirtualPlace.open({ jobTtlSeconds: 5 });
    const { system } = place;
    const cluster = await system.cluster("eu-1");
    await readyAt(place, [cluster], 1);
    const created = (): number =>
      place.cluster.faults.count(({ method, path }) => method === "PATCH" && path.endsWith("/jobs/validation"));
    await place.pass(MINUTE_MS);
    expect(await place.cluster.list(Job)).toEqual([]);
    const [before, from] = [created(), system.pulses.length];
    for (let minute = 0; minute < 60; minute += 1) {
      await place.pass(MINUTE_MS);
      expect(readyOf(await system.get(cluster.id))?.status).toBe("True");
    }
    const refreshes = system.pulses.length - from;
    expect(refreshes).toBeGreaterThan(0);
    expect(created() - before).toBeLessThanOrEqual(refreshes);
    expect(await place.cluster.list(Job)).toEqual([]);
  });
});
