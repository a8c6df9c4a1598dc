import { describe, expect, test } from "vitest";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { backoffMs, WorkQueue } from "./index.ts";

function setUp(): { readonly clock: VirtualClock; readonly queue: WorkQueue } {
  const clock = new VirtualClock(0);
  const queue = new WorkQueue({ clock, random: seededRandom(1), backoff: { firstMs: 100, maxMs: 1_000 } });
  return { clock, queue };
}

describe("the work queue", () => {
  test("runs a key once however often it was added, with all the reasons", async () => {
    const { queue } = setUp();
    queue.add("a", "spec");
    queue.add("a", "child");
    queue.add("a", "spec");
    expect(await queue.take()).toEqual({ key: "a", reasons: ["spec", "child"] });
    expect(queue.depth).toBe(0);
  });

  test("never gives a key to a second worker; an add during its run comes after it", async () => {
    const { queue } = setUp();
    queue.add("a", "1");
    queue.add("b", "1");
    expect((await queue.take())?.key).toBe("a");
    queue.add("a", "2");
    expect((await queue.take())?.key).toBe("b");
    const third = queue.take();
    queue.done("b");
    queue.done("a");
    expect(await third).toEqual({ key: "a", reasons: ["2"] });
  });

  test("serves keys in the order of their adding", async () => {
    const { queue } = setUp();
    for (const key of ["c", "a", "b"]) queue.add(key, "x");
    expect([(await queue.take())?.key, (await queue.take())?.key, (await queue.take())?.key]).toEqual(["c", "a", "b"]);
  });

  test("of several delays the earlier wins", async () => {
    const { clock, queue } = setUp();
    queue.addAfter("a", 3_000, "late");
    queue.addAfter("a", 1_000, "early");
    queue.addAfter("a", 2_000, "middle");
    await clock.advance(999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(await queue.take()).toEqual({ key: "a", reasons: ["early"] });
    queue.done("a");
    await clock.advance(10_000);
    expect(queue.depth).toBe(0);
  });

  test("an immediate add ends a delay, so there is no second run", async () => {
    const { clock, queue } = setUp();
    queue.addAfter("a", 1_000, "timer");
    queue.add("a", "event");
    expect(await queue.take()).toEqual({ key: "a", reasons: ["event"] });
    queue.done("a");
    await clock.advance(5_000);
    expect(queue.depth).toBe(0);
    expect(clock.nextAt).toBeUndefined();
  });

  test("failures wait longer and longer, until the key does well", () => {
    const { queue } = setUp();
    const delays = [1, 2, 3, 4, 5, 6].map(() => queue.addAfterFailure("a", "failed"));
    const ideal = [100, 200, 400, 800, 1_000, 1_000];
    for (const [index, delay] of delays.entries()) {
      expect(Math.abs(delay / (ideal[index] ?? 0) - 1)).toBeLessThanOrEqual(0.2);
    }
    queue.forget("a");
    expect(queue.addAfterFailure("a", "failed")).toBeLessThanOrEqual(120);
  });

  test("a closed queue lets every worker go and takes nothing more", async () => {
    const { clock, queue } = setUp();
    const waiting = [queue.take(), queue.take()];
    queue.addAfter("a", 10, "x");
    queue.close();
    queue.add("b", "x");
    expect(await Promise.all([...waiting, queue.take()])).toEqual([undefined, undefined, undefined]);
    expect(clock.nextAt).toBeUndefined();
  });
});

test("a delay never exceeds its maximum by more than the jitter, whatever the number of failures", () => {
  const random = seededRandom(3);
  for (const failures of [1, 10, 100, 10_000]) {
    expect(backoffMs(failures, { firstMs: 100, maxMs: 5_000 }, random)).toBeLessThanOrEqual(6_000);
  }
});
