import { Event, findCondition } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { fail, ok, requeueAfter, step, terminal } from "./index.ts";
import type { AnyResult, MaybeAsyncResult } from "./index.ts";
import { create, Thing } from "./thing.fixture.ts";

/** A step that misbehaves for object `a` only. */
function wrongFor(name: string, result: () => unknown): ReturnType<typeof step<Thing, unknown>> {
  // JavaScript callers can return values that the compiler would reject.
  return step<Thing, unknown>(Thing, name, {
    do: (req) => (req.name === "a" ? (result() as MaybeAsyncResult<unknown>) : ok()),
  });
}

describe("a step that", () => {
  test.for<readonly [string, () => unknown, RegExp]>([
    ["returns undefined", () => undefined, /^do of step Bad returned undefined; return ok\(\), wait\(\)/u],
    ["returns a number", () => 5, /^do of step Bad returned 5;/u],
    ["returns another object", () => ({ kind: "toString" }), /^do of step Bad returned a value of type object;/u],
    ["returns an invalid delay", () => requeueAfter("later", Number.NaN), /invalid delay of NaN ms/u],
    ["throws a string", () => Promise.reject("out of paper"), /^out of paper$/u],
    ["throws undefined", () => Promise.reject(undefined), /./u],
  ])("%s is reported on that object only", async ([, result, message]) => {
    await using cluster = await testCluster();
    cluster.run(operator(Thing, [wrongFor("Bad", result)]));
    await cluster.apply(Thing, { name: "other", spec: {} });
    const object = await create(cluster);
    expect(object).toHaveCondition("Bad", "False", { severity: "Warning", reason: "Error" });
    expect(findCondition(object.status?.conditions, "Bad")?.message).toMatch(message);
    expect(object).toHaveCondition("Ready", "False");
    expect(await cluster.untilSettled(Thing, "other")).toBeReady();
  });

  test.for([0, -1, Number.NaN])("requeues after %d ms gets an error about the delay", async (afterMs) => {
    await using cluster = await testCluster();
    const eager = step(Thing, "Eager", {
      do: (req) => {
        req.requeueAfter(afterMs);
        return ok();
      },
    });
    cluster.run(operator(Thing, [eager]));
    expect(await create(cluster)).toHaveCondition("Eager", "False", {
      message: `step Eager calls req.requeueAfter with ${afterMs} ms; the delay must be greater than 0`,
    });
  });

  test("never ends is aborted at the deadline, reported in its condition, and does not block other objects", async () => {
    await using cluster = await testCluster();
    const forever = wrongFor("Forever", () => new Promise<AnyResult>(() => {}));
    cluster.run(operator(Thing, [forever], { concurrency: 1, deadlineMs: 60_000 }));
    await create(cluster);
    await cluster.apply(Thing, { name: "other", spec: {} });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Thing, "a")).toHaveCondition("Forever", "False", {
      severity: "Warning",
      message: "deadline exceeded: not finished within 60 s",
    });
    expect(await cluster.untilSettled(Thing, "other")).toBeReady();
  });

  test("writes a status that violates the schema is reported in the conditions, which are still written", async () => {
    await using cluster = await testCluster();
    const numeric = step(Thing, "Numeric", {
      do: ({ status, spec }) => {
        status.id = spec.mode === "fine" ? "fine" : (5 as unknown as string);
        return ok();
      },
    });
    cluster.run(operator(Thing, [numeric]));
    expect(await create(cluster)).toBeReady();
    await cluster.patch(Thing, "a", { spec: { mode: "odd" } });
    const object = await cluster.untilSettled(Thing, "a");
    expect(object).toHaveCondition("Ready", "False", { severity: "Warning" });
    expect(findCondition(object.status?.conditions, "Status")?.message).toMatch(
      /server rejected the status: .*status\.id/u,
    );
    expect(object.status?.observedGeneration).toBe(2);
    await cluster.patch(Thing, "a", { spec: { mode: "fine" } });
    expect(await cluster.untilSettled(Thing, "a")).toBeReady();
  });

  test.for([
    ["equally bad", fail("the disk is full"), "Warning", "the disk is full; the flush failed"],
    ["worse", terminal("no such zone"), "Error", "no such zone"],
    ["the same", fail("the flush failed"), "Warning", "the flush failed"],
  ] as const)("fails in post after a result that is %s hides neither", async ([, result, severity, message]) => {
    await using cluster = await testCluster();
    cluster.run(operator(Thing, [step(Thing, "Both", { do: () => result, post: () => fail("the flush failed") })]));
    const object = await create(cluster);
    expect(object).toHaveCondition("Both", "False", { severity, message });
    expect(object).toHaveCondition("Ready", "False", { severity, message });
    const writes = cluster.writes(Thing, "a");
    await cluster.clock.advance(60_000);
    expect(cluster.writes(Thing, "a")).toBe(writes);
  });

  test("sets a condition that it does not declare fails with a programming error", async () => {
    await using cluster = await testCluster();
    const unlistedRef = step(Thing, "Stray", {
      do: (req) => {
        req.condition({ type: "Elsewhere", status: "True", reason: "Ready", message: "" });
        return ok();
      },
    });
    cluster.run(operator(Thing, [unlistedRef]));
    expect(await create(cluster)).toHaveCondition("Stray", "False", {
      message: "step Stray sets condition Elsewhere, which it does not declare",
    });
  });

  test("blocks the event loop is reported by an Event on its object", async () => {
    await using cluster = await testCluster();
    let lost = 0;
    const busy = step(Thing, "Busy", {
      do: () => {
        lost = 2_500; // simulates a long computation
        return ok();
      },
    });
    const own = operator(Thing, [busy]);
    cluster.run({
      ...own,
      start: ({ clock, ...world }) => {
        const late = {
          now: () => clock.now() + lost,
          monotonic: () => clock.monotonic() + lost,
          after: clock.after.bind(clock),
          sleep: clock.sleep.bind(clock),
        };
        return own.start({ ...world, clock: late });
      },
    });
    expect(await create(cluster)).toBeReady();
    const events = await cluster.list(Event);
    expect(events.map(({ type, reason, message }) => ({ type, reason, message }))).toEqual([
      { type: "Warning", reason: "Blocked", message: "do of step Busy blocked the event loop for 2500 ms" },
    ]);
  });
});

describe("a long run", () => {
  test("reports after a second that the new generation is not reached, and keeps no older conditions", async () => {
    await using cluster = await testCluster();
    const slow = step(Thing, "Slow", {
      condition: "SlowReady",
      do: async ({ clock, signal, spec, status }) => {
        if (spec.mode === "slow") await clock.sleep(5_000, signal);
        status.note = spec.mode;
        return ok();
      },
    });
    cluster.run(operator(Thing, [slow]));
    expect(await create(cluster)).toBeReady();
    await cluster.patch(Thing, "a", { spec: { mode: "slow" } });
    await cluster.untilIdle();
    const readyAt = async (): Promise<unknown> => {
      const { status } = await cluster.untilSettled(Thing, "a");
      return [status?.observedGeneration, findCondition(status?.conditions, "Ready")?.status];
    };
    expect(await readyAt()).toEqual([1, "True"]);
    await cluster.clock.advance(1_000);
    expect(await readyAt()).toEqual([2, "Unknown"]);
    await cluster.clock.advance(4_000);
    expect(await readyAt()).toEqual([2, "True"]);
    expect((await cluster.untilSettled(Thing, "a")).status?.note).toBe("slow");
    expect(cluster.writes(Thing, "a")).toBe(3);
    const ready = cluster
      .history(Thing, "a")
      .filter(({ status }) => findCondition(status?.conditions, "Ready")?.status === "True");
    expect(ready.map(({ status }) => `${status?.observedGeneration} ${status?.note}`)).toEqual([
      "1 fine",
      "1 fine",
      "2 slow",
    ]);
  });

  test("reports after a second that a status ahead of its generation, as after a restore, is not valid", async () => {
    await using cluster = await testCluster();
    const slow = step(Thing, "Slow", {
      condition: "SlowReady",
      do: async ({ clock, signal }) => {
        await clock.sleep(5_000, signal);
        return ok();
      },
    });
    cluster.run(operator(Thing, [slow]));
    await create(cluster);
    await cluster.clock.advance(5_000);
    expect(await cluster.untilSettled(Thing, "a")).toBeReady();
    await cluster.patchStatus(Thing, "a", { observedGeneration: 7 });
    await cluster.clock.advance(1_000);
    const { status } = await cluster.untilSettled(Thing, "a");
    expect([status?.observedGeneration, findCondition(status?.conditions, "Ready")?.status]).toEqual([1, "Unknown"]);
    await cluster.clock.advance(4_000);
    expect(await cluster.untilSettled(Thing, "a")).toBeReady();
  });

  test("of a generation that was reached before writes nothing early", async () => {
    await using cluster = await testCluster();
    const slow = step(Thing, "Slow", {
      do: async ({ clock, signal }) => {
        await clock.sleep(5_000, signal);
        return ok();
      },
    });
    cluster.run(operator(Thing, [slow]));
    await create(cluster);
    await cluster.clock.advance(5_000);
    const writes = cluster.writes(Thing, "a");
    await cluster.patch(Thing, "a", { metadata: { labels: { touched: "yes" } } });
    await cluster.clock.advance(5_000);
    expect(cluster.writes(Thing, "a")).toBe(writes);
  });
});

test("a step may manage several conditions; one that it does not set keeps the object from Ready", async () => {
  await using cluster = await testCluster();
  const both = step(Thing, "Both", {
    condition: "Main",
    conditions: ["Left", "Right"],
    do: (req) => {
      req.condition({ type: "Left", status: "True", reason: "Ready", message: "left is there" });
      if (req.spec.mode === "all")
        req.condition({ type: "Right", status: "True", reason: "Ready", message: "right too" });
      return ok();
    },
  });
  cluster.run(operator(Thing, [both]));
  const object = await create(cluster);
  expect(object.status?.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
    "Ready Unknown",
    "Left True",
    "Main True",
    "Right Unknown",
  ]);
  await cluster.patch(Thing, "a", { spec: { mode: "all" } });
  expect(await cluster.untilSettled(Thing, "a")).toBeReady();
});

test("an informational condition does not affect Ready", async () => {
  await using cluster = await testCluster();
  const stalled = step(Thing, "Watchful", {
    informational: ["Stalled"],
    do: (req) => {
      if (req.spec.mode !== "quiet") {
        req.condition({ type: "Stalled", status: "False", reason: "Moving", message: "it goes on" });
      }
      return ok();
    },
  });
  cluster.run(operator(Thing, [stalled]));
  const object = await create(cluster);
  expect(object).toBeReady();
  expect(object).toHaveCondition("Stalled", "False", { reason: "Moving" });
  await cluster.patch(Thing, "a", { spec: { mode: "quiet" } });
  expect((await cluster.untilSettled(Thing, "a")).status?.conditions?.map(({ type }) => type)).toEqual(["Ready"]);
});
