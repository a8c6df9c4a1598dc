import { describe, expect, test } from "vitest";
import { InputError } from "@levelset/core";
import { Decision } from "./decision.ts";
import { PulsedFleet, ruleWith } from "./pulsed-fleet.fixture.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe("a pulse is sent", () => {
  test("at once when a resource is created, changed or deleted, with all its adapters as due", async () => {
    await using world = await PulsedFleet.open();
    world.start();
    await world.pass(20);
    const { id, href } = await world.create("c-1");
    await world.pass(0);
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
    await world.pass(50);
    await world.patch(id, { size: 1 });
    await world.pass(20);
    await world.remove(id);
    await world.pass(20);
    const generations = world.arrivals.map(({ event }) => event.data);
    expect(generations).toMatchObject([{ generation: 1 }, { generation: 2 }, { generation: 3 }]);
  });

  test("again after each short TTL while nobody answers", async () => {
    await using world = await PulsedFleet.open();
    world.start();
    const { id } = await world.create("c-1");
    const start = world.clock.now();
    await world.pass(35 * SECOND);
    const ages = world.arrivals.map(({ time }) => Math.floor((time - start) / SECOND));
    expect(ages).toEqual([0, 10, 20, 30]);
    expect(world.taken()).toEqual(new Map([[id, 4]]));
  });

  test("to a resource that is ready after the long one, spread by a tenth, for the adapters that are due", async () => {
    await using world = await PulsedFleet.open();
    world.start();
    const { id } = await world.create("c-1");
    await world.ready(id);
    await world.pass(SECOND);
    world.taken();
    const start = world.clock.now();
    await world.pass(30 * MINUTE - 2 * SECOND);
    expect(world.arrivals).toEqual([]);
    await world.pass(3 * MINUTE + 5 * SECOND);
    const [first] = world.arrivals;
    expect((first?.time ?? 0) - start).toBeLessThanOrEqual(33 * MINUTE);
    expect(first?.event["dueadapters"]).toBe("dns,validation");
  });

  test("to the others when one adapter comes to another verdict, and not when it only confirms its own", async () => {
    await using world = await PulsedFleet.open();
    world.start();
    const { id } = await world.create("c-1");
    await world.pass(SECOND);
    world.taken();
    await world.report(id, "dns", "True");
    await world.pass(SECOND);
    expect(world.taken()).toEqual(new Map([[id, 1]]));
    await world.report(id, "dns", "True");
    await world.pass(SECOND);
    expect(world.taken()).toEqual(new Map());
    await world.report(id, "validation", "True");
    await world.pass(SECOND);
    expect(world.taken()).toEqual(new Map());
  });

  test("for the adapter that has not answered only, and not because another one has", async () => {
    await using world = await PulsedFleet.open();
    world.start({ limits: { sweepGapMs: 60 * MINUTE } });
    const { id } = await world.create("c-1");
    await world.ready(id);
    await world.pass(SECOND);
    world.taken();
    while (world.arrivals.length === 0) await world.pass(SECOND);
    world.taken();
    await world.report(id, "dns", "True");
    await world.pass(8 * SECOND);
    expect(world.taken()).toEqual(new Map());
    await world.pass(3 * SECOND);
    expect(world.arrivals.map(({ event }) => event["dueadapters"])).toEqual(["validation"]);
  });

  test("soon again when the adapter could not judge at the refresh of a resource that is ready", async () => {
    await using world = await PulsedFleet.open();
    world.start({ limits: { sweepGapMs: 60 * MINUTE } });
    const { id } = await world.create("c-1");
    await world.ready(id);
    await world.pass(SECOND);
    world.taken();
    while (world.arrivals.length === 0) await world.pass(SECOND);
    world.taken();
    await world.report(id, "validation", "True");
    await world.report(id, "dns", "Unknown", "False");
    await world.pass(9 * SECOND);
    expect(world.taken()).toEqual(new Map());
    await world.pass(2 * SECOND);
    expect(world.arrivals.map(({ event }) => event["dueadapters"])).toEqual(["dns"]);
  });

  test("later when an adapter tells of its progress", async () => {
    await using world = await PulsedFleet.open();
    world.start();
    const { id } = await world.create("c-1");
    await world.pass(8 * SECOND);
    world.taken();
    for (const adapter of ["dns", "validation"]) await world.report(id, adapter, "Unknown");
    await world.pass(9 * SECOND);
    expect(world.taken()).toEqual(new Map());
    await world.pass(2 * SECOND);
    expect(world.taken()).toEqual(new Map([[id, 1]]));
  });
});

test("a kind without required adapters is pulsed for its changes only", async () => {
  await using world = await PulsedFleet.open();
  world.start({ rules: [ruleWith({ resourceType: "notes" })] });
  const { id } = await world.create("n-1", {}, "Note");
  await world.pass(60 * MINUTE);
  expect(world.taken()).toEqual(new Map([[id, 1]]));
});

test("rules of several kinds run side by side, and a selector leaves out what has other labels", async () => {
  await using world = await PulsedFleet.open();
  world.start({ rules: [ruleWith({ selector: { env: "prod" } }), ruleWith({ resourceType: "notes" })] });
  const note = await world.create("n-1", {}, "Note");
  const chosen = await world.create("c-1", { env: "prod" });
  await world.create("c-2", { env: "test" });
  await world.pass(SECOND);
  expect(world.taken()).toEqual(
    new Map([
      [note.id, 1],
      [chosen.id, 1],
    ]),
  );
  await world.pass(60 * SECOND);
  expect([...world.taken().keys()]).toEqual([chosen.id]);
});

describe("a decision of one's own", () => {
  const decision = (result: string): Decision => new Decision({ params: [], result });
  const AGE = 'now - timestamp(condition("Ready").last_updated_time)';

  test("tells the store its TTLs, so that changes are planned by them", async () => {
    await using world = await PulsedFleet.open();
    world.start({ rules: [ruleWith({ decision: decision(`${AGE} > duration("45s")`) })] });
    await world.pass(0);
    expect(await world.store.ttls()).toEqual(new Map([["Cluster", { readyMs: 45_000, notReadyMs: 45_000 }]]));
    const { id } = await world.create("c-1");
    await world.pass(44 * SECOND);
    expect(world.taken()).toEqual(new Map([[id, 1]]));
    await world.pass(2 * SECOND);
    expect(world.taken()).toEqual(new Map([[id, 1]]));
  });

  test("that depends on more is asked after the poll interval and then at the time that it gives", async () => {
    await using world = await PulsedFleet.open();
    const result = `resource.labels.calm == "yes" ? ${AGE} > duration("40s") : ${AGE} > duration("20s")`;
    const { sentinel } = world.start({ rules: [ruleWith({ decision: decision(result) })] });
    const { id } = await world.create("c-1", { calm: "yes" });
    await world.pass(39 * SECOND);
    expect(world.taken()).toEqual(new Map([[id, 1]]));
    await world.pass(2 * SECOND);
    expect(world.taken()).toEqual(new Map([[id, 1]]));
    const { body } = await sentinel.metrics.render();
    // After 5 seconds; then it knows when.
    expect(body).toMatch(/resources_skipped_total\{.*reason="message decision result is false"\} 1\n/);
  });

  test("that fails skips the refresh, says so once in a while, and does not keep changes from being sent", async () => {
    await using world = await PulsedFleet.open();
    const { sentinel } = world.start({ rules: [ruleWith({ decision: decision("resource.spec.size > 3") })] });
    const { id } = await world.create("c-1");
    await world.pass(60 * SECOND);
    expect(world.taken()).toEqual(new Map([[id, 1]]));
    const { body } = await sentinel.metrics.render();
    expect(body).toMatch(/resources_skipped_total\{.*reason="message decision failed"\} 1[0-9]\n/);
    const failed = world.lines.filter(({ message }) => message === "decision failed");
    expect(failed.length).toBeGreaterThan(1);
    expect(failed.length).toBeLessThan(8);
  });
});

test("a thousand resources that became ready together are refreshed apart", async () => {
  await using world = await PulsedFleet.open();
  world.start({ limits: { refreshGapMs: SECOND, sweepGapMs: 60 * MINUTE } });
  const created = await Promise.all(Array.from({ length: 1_000 }, (_, number) => world.create(`c-${number}`)));
  await Promise.all(created.map(({ id }) => world.ready(id)));
  await world.pass(SECOND);
  world.taken();
  await world.pass(30 * MINUTE - 2 * SECOND);
  expect(world.taken().size).toBe(0);
  const counts: number[] = [];
  for (let second = 0; second < 4 * 60; second += 5) {
    await world.clock.advance(5 * SECOND);
    const ids = [...world.taken().keys()];
    counts.push(ids.length);
    // Each is answered, so that none is repeated.
    await Promise.all(ids.map((id) => world.ready(id)));
  }
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_000);
  // Evenly it were 28 in each five seconds.
  expect(Math.max(...counts)).toBeLessThan(60);
});

test("with nothing due, the store is asked less than once per second", async () => {
  await using world = await PulsedFleet.open();
  world.start();
  const { id } = await world.create("c-1");
  await world.ready(id);
  await world.pass(30 * SECOND);
  const before = world.store.statements;
  await world.pass(600 * SECOND);
  expect((world.store.statements - before) / 600).toBeLessThan(1);
});

test("it does not start for a kind that there is not, without rules, or with a lease that a publish may outlast", async () => {
  await using world = await PulsedFleet.open();
  expect(() => world.start({ rules: [ruleWith({ resourceType: "castles" })] })).toThrow(
    "resource_type: there are no castles",
  );
  expect(() => world.start({ rules: [] })).toThrow(InputError);
  expect(() => world.start({ limits: { leaseMs: 10_000, publishTimeoutMs: 10_000 } })).toThrow("lease");
});

test("it is ready once the store has said what is due, and not while the broker is away or it stops", async () => {
  await using world = await PulsedFleet.open();
  const running = world.start();
  const { sentinel } = running;
  expect(await sentinel.ready()).toEqual(["the store does not say what is due"]);
  await world.pass(SECOND);
  expect([sentinel.live(), await sentinel.ready()]).toEqual([[], []]);
  await world.pass(10 * MINUTE);
  expect([sentinel.live(), await sentinel.ready()]).toEqual([[], []]);
  await world.broker.close();
  expect(await sentinel.ready()).toEqual(["broker: closed"]);
  const stopped = running.stop();
  await world.pass(SECOND);
  await stopped;
  expect(await sentinel.ready()).toEqual(["it is stopping"]);
});

test("the sweep finds what nobody planned, and repairs nothing else", async () => {
  await using world = await PulsedFleet.open();
  const { sentinel } = world.start({ limits: { sweepPage: 3, sweepGapMs: SECOND } });
  const repairs = async (): Promise<string | undefined> => {
    const { body } = await sentinel.metrics.render();
    return /sweep_repairs_total\{[^}]*\} (\d+)/.exec(body)?.[1];
  };
  for (let number = 0; number < 10; number++) await world.create(`c-${number}`);
  await world.pass(30 * SECOND);
  expect(await repairs()).toBeUndefined();
  const page = await world.store.planned(["Cluster"], undefined, 100);
  const lost = page[4]?.stored.resource;
  if (lost === undefined) throw new TypeError("there are ten");
  // What only a defect could do: it is completed with nothing planned.
  const now = world.clock.now() + MINUTE;
  const claims = await world.store.claim({ holder: "x", now, leaseMs: 1, limit: 100, kinds: ["Cluster"] });
  const completions = claims.map(({ stored, holder, plan }) => {
    const isLost = stored.resource.id === lost.id;
    return {
      resourceId: stored.resource.id,
      holder,
      plan,
      pulsedTime: undefined,
      refreshTime: isLost ? undefined : now,
    };
  });
  await world.store.complete(completions);
  world.taken();
  await world.pass(15 * SECOND);
  expect(await repairs()).toBe("1");
  expect(world.taken().get(lost.id)).toBe(1);
  expect(world.lines.filter(({ level }) => level === "error")).toMatchObject([{ fields: { resource: lost.id } }]);
});
