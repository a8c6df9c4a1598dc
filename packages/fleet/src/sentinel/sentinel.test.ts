import { describe, expect, test } from "vitest";
import { InputError } from "@levelset/core";
import { DEFAULT_TTL } from "../resource/index.ts";
import { PulseDecision } from "./decision/pulse-decision.ts";
import { PulsedFleet, ruleWith } from "./pulsed-fleet.fixture.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe("a pulse is sent", () => {
  test("at once when a resource is created, changed or deleted, with all its adapters as due", async () => {
    await using world = await PulsedFleet.open();
    world.start();
    await world.advance(20);
    const { id, href } = await world.create("c-1");
    await world.advance(0);
    expect(world.arrivals).toMatchObject([
      {
        time: world.clock.now(),
        event: {
          type: "com.redhat.hyperfleet.cluster.reconcile",
          partitionkey: id,
          dueadapters: "dns,validation",
          data: { id, kind: "Cluster", href, generation: 1 },
        },
      },
    ]);
    expect(world.arrivals[0]?.event.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    await world.advance(50);
    await world.patch(id, { size: 1 });
    await world.advance(20);
    await world.remove(id);
    await world.advance(20);
    const generations = world.arrivals.map(({ event }) => event.data);
    expect(generations).toMatchObject([{ generation: 1 }, { generation: 2 }, { generation: 3 }]);
  });

  test("again after each short TTL while no adapter reports", async () => {
    await using world = await PulsedFleet.open();
    world.start();
    const { id } = await world.create("c-1");
    const start = world.clock.now();
    await world.advance(35 * SECOND);
    const ages = world.arrivals.map(({ time }) => Math.floor((time - start) / SECOND));
    expect(ages).toEqual([0, 10, 20, 30]);
    expect(world.takePulses()).toEqual(new Map([[id, 4]]));
  });

  test("to a Ready resource after the long TTL, spread by a tenth, for the adapters that are due", async () => {
    await using world = await PulsedFleet.open();
    world.start();
    const { id } = await world.create("c-1");
    await world.ready(id);
    await world.advance(SECOND);
    world.takePulses();
    const start = world.clock.now();
    await world.advance(30 * MINUTE - 2 * SECOND);
    expect(world.arrivals).toEqual([]);
    await world.advance(3 * MINUTE + 5 * SECOND);
    const [first] = world.arrivals;
    expect((first?.time ?? 0) - start).toBeLessThanOrEqual(33 * MINUTE);
    expect(first?.event["dueadapters"]).toBe("dns,validation");
  });

  test("to the others when one adapter changes its verdict, and not when it only confirms it", async () => {
    await using world = await PulsedFleet.open();
    world.start();
    const { id } = await world.create("c-1");
    await world.advance(SECOND);
    world.takePulses();
    await world.report(id, "dns", "True");
    await world.advance(SECOND);
    expect(world.takePulses()).toEqual(new Map([[id, 1]]));
    await world.report(id, "dns", "True");
    await world.advance(SECOND);
    expect(world.takePulses()).toEqual(new Map());
    await world.report(id, "validation", "True");
    await world.advance(SECOND);
    expect(world.takePulses()).toEqual(new Map());
  });

  test("only for the adapter that has not reported, whatever the others report", async () => {
    await using world = await PulsedFleet.open();
    world.start({ limits: { sweepGapMs: 60 * MINUTE } });
    const { id } = await world.create("c-1");
    await world.ready(id);
    await world.advance(SECOND);
    world.takePulses();
    while (world.arrivals.length === 0) await world.advance(SECOND);
    world.takePulses();
    await world.report(id, "dns", "True");
    await world.advance(8 * SECOND);
    expect(world.takePulses()).toEqual(new Map());
    await world.advance(3 * SECOND);
    expect(world.arrivals.map(({ event }) => event["dueadapters"])).toEqual(["validation"]);
  });

  test("soon again when the adapter could not determine the state at the refresh of a Ready resource", async () => {
    await using world = await PulsedFleet.open();
    world.start({ limits: { sweepGapMs: 60 * MINUTE } });
    const { id } = await world.create("c-1");
    await world.ready(id);
    await world.advance(SECOND);
    world.takePulses();
    while (world.arrivals.length === 0) await world.advance(SECOND);
    world.takePulses();
    await world.report(id, "validation", "True");
    await world.report(id, "dns", "Unknown", "False");
    await world.advance(9 * SECOND);
    expect(world.takePulses()).toEqual(new Map());
    await world.advance(2 * SECOND);
    expect(world.arrivals.map(({ event }) => event["dueadapters"])).toEqual(["dns"]);
  });

  test("later when an adapter reports progress", async () => {
    await using world = await PulsedFleet.open();
    world.start();
    const { id } = await world.create("c-1");
    await world.advance(8 * SECOND);
    world.takePulses();
    for (const adapter of ["dns", "validation"]) await world.report(id, adapter, "Unknown");
    await world.advance(9 * SECOND);
    expect(world.takePulses()).toEqual(new Map());
    await world.advance(2 * SECOND);
    expect(world.takePulses()).toEqual(new Map([[id, 1]]));
  });
});

test("a kind without required adapters is pulsed for its changes only", async () => {
  await using world = await PulsedFleet.open();
  world.start({ rules: [ruleWith({ resourceType: "notes" })] });
  const { id } = await world.create("n-1", {}, "Note");
  await world.advance(60 * MINUTE);
  expect(world.takePulses()).toEqual(new Map([[id, 1]]));
});

test("rules of several kinds run side by side, and a selector excludes other labels", async () => {
  await using world = await PulsedFleet.open();
  world.start({ rules: [ruleWith({ selector: { env: "prod" } }), ruleWith({ resourceType: "notes" })] });
  const note = await world.create("n-1", {}, "Note");
  const chosen = await world.create("c-1", { env: "prod" });
  await world.create("c-2", { env: "test" });
  await world.advance(SECOND);
  expect(world.takePulses()).toEqual(
    new Map([
      [note.id, 1],
      [chosen.id, 1],
    ]),
  );
  await world.advance(60 * SECOND);
  expect([...world.takePulses().keys()]).toEqual([chosen.id]);
});

describe("a custom decision", () => {
  const decision = (result: string): PulseDecision => new PulseDecision({ params: [], result });
  const AGE = 'now - timestamp(condition("Ready").last_updated_time)';

  test("stores its TTLs, so that changes are planned by them", async () => {
    await using world = await PulsedFleet.open();
    world.start({ rules: [ruleWith({ decision: decision(`${AGE} > duration("45s")`) })] });
    await world.advance(0);
    expect((await world.store.ttls()).get("Cluster")).toMatchObject({ readyMs: 45_000, notReadyMs: 45_000 });
    const { id } = await world.create("c-1");
    await world.advance(44 * SECOND);
    expect(world.takePulses()).toEqual(new Map([[id, 1]]));
    await world.advance(2 * SECOND);
    expect(world.takePulses()).toEqual(new Map([[id, 1]]));
  });

  test("replaces stored TTLs of which only one differs", async () => {
    await using world = await PulsedFleet.open();
    await world.store.setTtl("Cluster", { ...DEFAULT_TTL, readyMs: 1_000, notReadyMs: 45_000 });
    world.start({ rules: [ruleWith({ decision: decision(`${AGE} > duration("45s")`) })] });
    await world.advance(0);
    expect((await world.store.ttls()).get("Cluster")).toMatchObject({ readyMs: 45_000, notReadyMs: 45_000 });
  });

  test("that depends on more is evaluated after the poll interval and then at the time it yields", async () => {
    await using world = await PulsedFleet.open();
    const result = `resource.labels.calm == "yes" ? ${AGE} > duration("40s") : ${AGE} > duration("20s")`;
    const { sentinel } = world.start({ rules: [ruleWith({ decision: decision(result) })] });
    const { id } = await world.create("c-1", { calm: "yes" });
    await world.advance(39 * SECOND);
    expect(world.takePulses()).toEqual(new Map([[id, 1]]));
    await world.advance(2 * SECOND);
    expect(world.takePulses()).toEqual(new Map([[id, 1]]));
    const { body } = await sentinel.metrics.render();
    // After 5 seconds; then the time is known.
    expect(body).toMatch(/resources_skipped_total\{.*reason="message decision result is false"\} 1\n/);
  });

  test("that fails skips the refresh, logs that at a limited rate, and does not block changes", async () => {
    await using world = await PulsedFleet.open();
    const { sentinel } = world.start({ rules: [ruleWith({ decision: decision("resource.spec.size > 3") })] });
    const { id } = await world.create("c-1");
    await world.advance(60 * SECOND);
    expect(world.takePulses()).toEqual(new Map([[id, 1]]));
    const { body } = await sentinel.metrics.render();
    expect(body).toMatch(/resources_skipped_total\{.*reason="message decision failed"\} 1[0-9]\n/);
    const failed = world.lines.filter(({ message }) => message === "decision failed");
    expect(failed.length).toBeGreaterThan(1);
    expect(failed.length).toBeLessThan(8);
  });
});

test("a thousand resources that became Ready together are refreshed at different times", async () => {
  await using world = await PulsedFleet.open();
  world.start({ limits: { refreshGapMs: SECOND, sweepGapMs: 60 * MINUTE } });
  const created = await Promise.all(Array.from({ length: 1_000 }, (_, number) => world.create(`c-${number}`)));
  await Promise.all(created.map(({ id }) => world.ready(id)));
  await world.advance(SECOND);
  world.takePulses();
  await world.advance(30 * MINUTE - 2 * SECOND);
  expect(world.takePulses().size).toBe(0);
  const counts: number[] = [];
  for (let second = 0; second < 4 * 60; second += 5) {
    await world.clock.advance(5 * SECOND);
    const ids = [...world.takePulses().keys()];
    counts.push(ids.length);
    // Each pulse is answered, so that none is repeated.
    await Promise.all(ids.map((id) => world.ready(id)));
  }
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_000);
  // An even spread has 28 in each five seconds.
  expect(Math.max(...counts)).toBeLessThan(60);
});

test("with nothing due, the store is queried less than once per second", async () => {
  await using world = await PulsedFleet.open();
  world.start();
  const { id } = await world.create("c-1");
  await world.ready(id);
  await world.advance(30 * SECOND);
  const before = world.store.statements;
  await world.advance(600 * SECOND);
  expect((world.store.statements - before) / 600).toBeLessThan(1);
});

test("it does not start for an unknown kind, without rules, or with a lease shorter than a publish", async () => {
  await using world = await PulsedFleet.open();
  expect(() => world.start({ rules: [ruleWith({ resourceType: "castles" })] })).toThrow(
    'resource_type: unknown kind "castles"',
  );
  expect(() => world.start({ rules: [] })).toThrow(InputError);
  expect(() => world.start({ limits: { leaseMs: 10_000, publishTimeoutMs: 10_000 } })).toThrow("lease");
});

test("it is ready after a successful claim, and not while the broker is unavailable or it stops", async () => {
  await using world = await PulsedFleet.open();
  const running = world.start();
  const { sentinel } = running;
  expect(await sentinel.ready()).toEqual(["no successful claim from the store recently"]);
  await world.advance(SECOND);
  expect([sentinel.live(), await sentinel.ready()]).toEqual([[], []]);
  await world.advance(10 * MINUTE);
  expect([sentinel.live(), await sentinel.ready()]).toEqual([[], []]);
  await world.broker.close();
  expect(await sentinel.ready()).toEqual(["broker: closed"]);
  const stopped = running.stop();
  await world.advance(SECOND);
  await stopped;
  expect(await sentinel.ready()).toEqual(["stopping"]);
});

test("the sweep finds resources without planned work, and repairs nothing else", async () => {
  await using world = await PulsedFleet.open();
  const { sentinel } = world.start({ limits: { sweepPageSize: 3, sweepGapMs: SECOND } });
  const repairs = async (): Promise<string | undefined> => {
    const { body } = await sentinel.metrics.render();
    return /sweep_repairs_total\{[^}]*\} (\d+)/.exec(body)?.[1];
  };
  for (let number = 0; number < 10; number++) await world.create(`c-${number}`);
  await world.advance(30 * SECOND);
  expect(await repairs()).toBeUndefined();
  const page = await world.store.listPlans(["Cluster"], undefined, 100);
  const lost = page[4]?.stored.resource;
  if (lost === undefined) throw new TypeError("there are ten");
  // Simulates a defect: the claim is completed without planning further work.
  const now = world.clock.now() + MINUTE;
  const claims = await world.store.claim({ holder: "x", now, leaseMs: 1, limit: 100, kinds: ["Cluster"] });
  const completions = claims.map(({ resource, holder, counters }) => {
    const isLost = resource.resource.id === lost.id;
    return {
      resourceId: resource.resource.id,
      holder,
      counters,
      pulsedTime: undefined,
      refreshTime: isLost ? undefined : now,
    };
  });
  await world.store.complete(completions);
  world.takePulses();
  await world.advance(15 * SECOND);
  expect(await repairs()).toBe("1");
  expect(world.takePulses().get(lost.id)).toBe(1);
  expect(world.lines.filter(({ level }) => level === "error")).toMatchObject([{ fields: { resource: lost.id } }]);
});
