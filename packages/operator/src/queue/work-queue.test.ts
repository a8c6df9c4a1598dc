import { backoffMs } from "@levelset/core/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { WorkQueue } from "./index.ts";
import type { Trigger } from "./index.ts";

const because = (field: string): Trigger => ({ kind: "changed", field });

function setUp(): { readonly clock: VirtualClock; readonly queue: WorkQueue } {
  const clock = new VirtualClock(0);
  const queue = new WorkQueue({ clock, random: seededRandom(1), backoff: { firstMs: 100, maxMs: 1_000 } });
  return { clock, queue };
}

describe("the work queue", () => {
  test("runs a key once after several adds, with all reasons", async () => {
    const { queue } = setUp();
    queue.add("a", because("spec"));
    queue.add("a", because("child"));
    queue.add("a", because("spec"));
    expect(await queue.get()).toMatchObject({ key: "a", reasons: ["spec changed", "child changed"] });
    expect(queue.depth).toBe(0);
  });

  test("never gives a key to two workers; an add during a run is queued until its end", async () => {
    const { queue } = setUp();
    queue.add("a", because("1"));
    queue.add("b", because("1"));
    expect((await queue.get())?.key).toBe("a");
    queue.add("a", because("2"));
    expect((await queue.get())?.key).toBe("b");
    const third = queue.get();
    queue.done("b");
    queue.done("a");
    expect(await third).toMatchObject({ key: "a", reasons: ["2 changed"] });
  });

  test("serves keys in FIFO order", async () => {
    const { queue } = setUp();
    for (const key of ["c", "a", "b"]) queue.add(key, because("x"));
    expect([(await queue.get())?.key, (await queue.get())?.key, (await queue.get())?.key]).toEqual(["c", "a", "b"]);
  });

  test("serves namespaces round robin, so that a busy one does not delay another", async () => {
    const { queue } = setUp();
    for (let n = 0; n < 100; n++) queue.add(`crowd/${n}`, because("x"));
    queue.add("quiet/a", because("x"));
    queue.add("quiet/b", because("x"));
    const served = [];
    for (let n = 0; n < 5; n++) served.push((await queue.get())?.key);
    expect(served).toEqual(["crowd/0", "quiet/a", "crowd/1", "quiet/b", "crowd/2"]);
  });

  test("serves high priority before low priority, without starvation", async () => {
    const { queue } = setUp();
    for (let n = 0; n < 20; n++) queue.add(`low${n}`, because("listed"), "low");
    const served: string[] = [];
    for (let n = 0; n < 40; n++) {
      queue.add(`high${n}`, because("event"));
      const job = await queue.get();
      served.push(job?.key ?? "");
      queue.done(job?.key ?? "");
    }
    expect(served.filter((key) => key.startsWith("low"))).toHaveLength(5);
    expect(served.slice(0, 7).every((key) => key.startsWith("high"))).toBe(true);
  });

  test("raises the priority of a waiting key, and runs it once", async () => {
    const { queue } = setUp();
    for (const key of ["a", "b", "c"]) queue.add(key, because("listed"), "low");
    queue.add("c", because("spec"));
    expect(await queue.get()).toMatchObject({ key: "c", reasons: ["listed changed", "spec changed"] });
    queue.done("c");
    expect([(await queue.get())?.key, (await queue.get())?.key, queue.depth]).toEqual(["a", "b", 0]);
  });

  test("rejects keys when it is full, and notifies when there is capacity again", async () => {
    const clock = new VirtualClock(0);
    let reported = 0;
    const onRoom = (): void => void reported++;
    const backoff = { firstMs: 1, maxMs: 2 };
    const queue = new WorkQueue({ clock, random: seededRandom(1), backoff, max: 4, onCapacity: onRoom });
    for (const key of ["a", "b", "c", "d", "e"]) queue.add(key, because("x"));
    queue.addAfter("f", 10, because("x"));
    expect([queue.depth, queue.delayed]).toEqual([4, 0]);
    for (let n = 0; n < 3; n++) queue.done((await queue.get())?.key ?? "");
    expect(reported).toBe(1);
  });

  test("runs every key that was added after its last run began, with one worker per key, in any order", async () => {
    const step = fc.record({
      kind: fc.constantFrom("add", "low", "after", "take", "done", "tick"),
      key: fc.constantFrom("n/a", "n/b", "m/a", "c"),
    });
    const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { clock, queue } = setUp();
      const running: string[] = [];
      const owed = new Set<string>();
      const delayed = new Set<string>();
      for (const { kind, key } of steps) {
        if (kind === "add") queue.add(key, because("x"));
        if (kind === "low") queue.add(key, because("x"), "low");
        if (kind === "after") queue.addAfter(key, 5, because("x"));
        if (kind === "add" || kind === "low" || kind === "after") owed.add(key);
        if (kind === "add" || kind === "low") delayed.delete(key);
        if (kind === "after") delayed.add(key);
        if (kind === "tick") {
          await clock.advance(5);
          delayed.clear();
        }
        if (kind === "take" && queue.depth > 0) {
          const job = await queue.get();
          if (running.includes(job?.key ?? "")) throw new Error(`${job?.key} runs twice at a time`);
          running.push(job?.key ?? "");
          if (!delayed.has(job?.key ?? "")) owed.delete(job?.key ?? "");
        }
        if (kind === "done") queue.done(running.shift() ?? "");
      }
      for (const key of running.splice(0)) queue.done(key);
      await clock.advance(10);
      const left = new Set<string>();
      while (queue.depth > 0) left.add((await queue.get())?.key ?? "");
      expect([...owed].filter((key) => !left.has(key))).toEqual([]);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  test("of several delays the earlier wins", async () => {
    const { clock, queue } = setUp();
    queue.addAfter("a", 3_000, because("late"));
    queue.addAfter("a", 1_000, because("early"));
    queue.addAfter("a", 2_000, because("middle"));
    await clock.advance(999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(await queue.get()).toMatchObject({ key: "a", reasons: ["early changed"] });
    queue.done("a");
    await clock.advance(10_000);
    expect(queue.depth).toBe(0);
  });

  test("of several delays the earlier wins, even if the wall clock is set back between them", async () => {
    const { clock, queue } = setUp();
    queue.addAfter("a", 1_000, because("soon"));
    clock.stepWall(-60_000);
    queue.addAfter("a", 30_000, because("later"));
    await clock.advance(1_000);
    expect(queue.depth).toBe(1);
  });

  test("an immediate add ends a delay, so there is no second run", async () => {
    const { clock, queue } = setUp();
    queue.addAfter("a", 1_000, because("timer"));
    queue.add("a", because("event"));
    expect(await queue.get()).toMatchObject({ key: "a", reasons: ["event changed"] });
    queue.done("a");
    await clock.advance(5_000);
    expect(queue.depth).toBe(0);
    expect(clock.nextTimerAt).toBeUndefined();
  });

  test("keeps the kind of a trigger after many others", async () => {
    const { queue } = setUp();
    for (let n = 0; n < 20; n++) {
      queue.add("a", { kind: "related", object: `configmap/${n}`, change: "added", via: "owner" });
    }
    queue.add("a", { kind: "requested" });
    const job = await queue.get();
    expect(job?.triggers).toEqual(new Set(["related", "requested"]));
    expect(job?.reasons.slice(-2)).toEqual(["run requested by annotation", "and 10 more"]);
  });

  test.each(["the end of its delay", "an add", "a shorter delay", "another postponement"])(
    "a postponed run keeps its triggers until %s",
    async (event) => {
      const { clock, queue } = setUp();
      queue.add("a", { kind: "requested" });
      const job = await queue.get();
      if (job === undefined) throw new Error("no job");
      queue.postpone(job, 1_000, { kind: "throttled" });
      queue.done("a");
      if (event === "an add") queue.add("a", because("spec"));
      if (event === "a shorter delay") queue.addAfter("a", 500, because("spec"));
      if (event === "another postponement") {
        queue.add("a", because("spec"));
        const second = await queue.get();
        if (second !== undefined) queue.postpone(second, 1_000, { kind: "throttled" });
        queue.done("a");
      }
      await clock.advance(1_000);
      expect((await queue.get())?.triggers.has("requested")).toBe(true);
      queue.done("a");
      await clock.advance(10_000);
      expect([queue.depth, queue.delayed]).toEqual([0, 0]);
    },
  );

  test("the delay grows with each failure until the key succeeds", () => {
    const { queue } = setUp();
    const delays = [1, 2, 3, 4, 5, 6].map(() => queue.addRateLimited("a", because("failed")));
    const ideal = [100, 200, 400, 800, 1_000, 1_000];
    for (const [index, delay] of delays.entries()) {
      expect(Math.abs(delay / (ideal[index] ?? 0) - 1)).toBeLessThanOrEqual(0.2);
    }
    queue.forget("a");
    expect(queue.addRateLimited("a", because("failed"))).toBeLessThanOrEqual(120);
  });

  test("a closed queue releases all workers and ignores further keys", async () => {
    const { clock, queue } = setUp();
    const waiting = [queue.get(), queue.get()];
    queue.addAfter("a", 10, because("x"));
    queue.close();
    queue.add("b", because("x"));
    queue.addAfter("c", 10, because("x"));
    expect(await Promise.all([...waiting, queue.get()])).toEqual([undefined, undefined, undefined]);
    expect(clock.nextTimerAt).toBeUndefined();
  });
});

test("a delay never exceeds its maximum by more than the jitter, for any number of failures", () => {
  const random = seededRandom(3);
  for (const failures of [1, 10, 100, 10_000]) {
    expect(backoffMs(failures, { firstMs: 100, maxMs: 5_000 }, random)).toBeLessThanOrEqual(6_000);
  }
});
