import { Event, findCondition } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, requeueAfter, step } from "./index.ts";
import type { AnyResult, Eventually } from "./index.ts";
import { create, Thing } from "./thing.fixture.ts";

/** A step that is wrong for object `a` and fine for every other. */
function wrongFor(name: string, answer: () => unknown): ReturnType<typeof step<Thing, unknown>> {
  // What the compiler refuses reaches the engine all the same from those who do not use it.
  return step<Thing, unknown>(Thing, name, {
    do: (req) => (req.name === "a" ? (answer() as Eventually<unknown>) : ok()),
  });
}

describe("a step that", () => {
  test.for<readonly [string, () => unknown, RegExp]>([
    ["returns nothing", () => undefined, /^do of step Bad answered with undefined; it ends with ok\(\), wait\(\)/u],
    ["returns a number", () => 5, /^do of step Bad answered with 5;/u],
    ["returns another object", () => ({ kind: "toString" }), /^do of step Bad answered with some object;/u],
    ["asks for no duration", () => requeueAfter("later", Number.NaN), /asks to look again after NaN ms/u],
    ["throws a text", () => Promise.reject("out of paper"), /^out of paper$/u],
    ["throws nothing", () => Promise.reject(undefined), /./u],
  ])("%s is reported on that object only", async ([, answer, message]) => {
    await using cluster = await testCluster();
    cluster.run(operator(Thing, [wrongFor("Bad", answer)]));
    await cluster.apply(Thing, { name: "other", spec: {} });
    const object = await create(cluster);
    expect(object).toHaveCondition("Bad", "False", { severity: "Warning", reason: "Error" });
    expect(findCondition(object.status?.conditions, "Bad")?.message).toMatch(message);
    expect(object).toHaveCondition("Ready", "False");
    expect(await cluster.settled(Thing, "other")).toBeReady();
  });

  test.for([0, -1, Number.NaN])("asks for another look after %d ms is told that this is no time", async (afterMs) => {
    await using cluster = await testCluster();
    const eager = step(Thing, "Eager", {
      do: (req) => {
        req.lookAgain(afterMs);
        return ok();
      },
    });
    cluster.run(operator(Thing, [eager]));
    expect(await create(cluster)).toHaveCondition("Eager", "False", {
      message: `step Eager asks for another look after ${afterMs} ms`,
    });
  });

  test("never ends is given up at the deadline, said so in its condition, and holds nobody else", async () => {
    await using cluster = await testCluster();
    const forever = wrongFor("Forever", () => new Promise<AnyResult>(() => {}));
    cluster.run(operator(Thing, [forever], { concurrency: 1, deadlineMs: 60_000 }));
    await create(cluster);
    await cluster.apply(Thing, { name: "other", spec: {} });
    await cluster.clock.advance(60_000);
    expect(await cluster.settled(Thing, "a")).toHaveCondition("Forever", "False", {
      severity: "Warning",
      message: "it did not end within 60 s",
    });
    expect(await cluster.settled(Thing, "other")).toBeReady();
  });

  test("writes a status that the schema forbids is told by the conditions, which are written all the same", async () => {
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
    const object = await cluster.settled(Thing, "a");
    expect(object).toHaveCondition("Ready", "False", { severity: "Warning" });
    expect(findCondition(object.status?.conditions, "Status")?.message).toMatch(/status was refused: .*status\.id/u);
    expect(object.status?.observedGeneration).toBe(2);
    await cluster.patch(Thing, "a", { spec: { mode: "fine" } });
    expect(await cluster.settled(Thing, "a")).toBeReady();
  });

  test("sets a condition that it does not declare has a defect", async () => {
    await using cluster = await testCluster();
    const stray = step(Thing, "Stray", {
      do: (req) => {
        req.condition({ type: "Elsewhere", status: "True", reason: "Ready", message: "" });
        return ok();
      },
    });
    cluster.run(operator(Thing, [stray]));
    expect(await create(cluster)).toHaveCondition("Stray", "False", {
      message: "step Stray sets condition Elsewhere, which it does not declare",
    });
  });

  test("keeps the process from doing anything else is told by an event about its object", async () => {
    await using cluster = await testCluster();
    let lost = 0;
    const busy = step(Thing, "Busy", {
      do: () => {
        lost = 2_500; // as if it had computed that long
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
      { type: "Warning", reason: "Blocked", message: "do of step Busy let nothing else run for 2500 ms" },
    ]);
  });
});

describe("a run that takes long", () => {
  test("says after a second that the new generation is not reached, beside nothing older", async () => {
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
    await cluster.rest();
    const readyAt = async (): Promise<unknown> => {
      const { status } = await cluster.settled(Thing, "a");
      return [status?.observedGeneration, findCondition(status?.conditions, "Ready")?.status];
    };
    expect(await readyAt()).toEqual([1, "True"]);
    await cluster.clock.advance(1_000);
    expect(await readyAt()).toEqual([2, "Unknown"]);
    await cluster.clock.advance(4_000);
    expect(await readyAt()).toEqual([2, "True"]);
    expect((await cluster.settled(Thing, "a")).status?.note).toBe("slow");
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

  test("says after a second that a status ahead of its generation, as after a restore, does not count", async () => {
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
    expect(await cluster.settled(Thing, "a")).toBeReady();
    await cluster.patchStatus(Thing, "a", { observedGeneration: 7 });
    await cluster.clock.advance(1_000);
    const { status } = await cluster.settled(Thing, "a");
    expect([status?.observedGeneration, findCondition(status?.conditions, "Ready")?.status]).toEqual([1, "Unknown"]);
    await cluster.clock.advance(4_000);
    expect(await cluster.settled(Thing, "a")).toBeReady();
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
  expect(await cluster.settled(Thing, "a")).toBeReady();
});

test("an aside informs and does not count for Ready", async () => {
  await using cluster = await testCluster();
  const stalled = step(Thing, "Watchful", {
    asides: ["Stalled"],
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
  expect((await cluster.settled(Thing, "a")).status?.conditions?.map(({ type }) => type)).toEqual(["Ready"]);
});
