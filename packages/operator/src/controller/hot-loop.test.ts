import { VirtualClock } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { HotLoopGuard } from "./hot-loop.ts";
import type { HotLoop } from "./hot-loop.ts";

const LIMITS = { runs: 5, windowMs: 60_000, firstMs: 1_000, maxMs: 8_000 };

/** Returns a guard, and a function that simulates runs with writes. */
function setUp(): {
  readonly guard: HotLoopGuard;
  readonly runs: (
    count: number,
    everyMs: number,
    fields?: readonly string[],
    generation?: number,
    others?: (run: number) => readonly string[],
  ) => Promise<HotLoop[]>;
} {
  const clock = new VirtualClock(0);
  const guard = new HotLoopGuard(clock, LIMITS);
  return {
    guard,
    runs: async (count, everyMs, fields = ["status.x"], generation = 1, others = () => []) => {
      const loops: HotLoop[] = [];
      for (let n = 0; n < count; n++) {
        const loop = guard.recordRun("a", generation, fields, others(n));
        if (loop !== undefined) loops.push(loop);
        await clock.advance(everyMs);
      }
      return loops;
    },
  };
}

describe("the hot-loop guard", () => {
  test("does not throttle an object that is written occasionally", async () => {
    const { runs, guard } = setUp();
    expect(await runs(100, 20_000)).toEqual([]);
    expect(guard.delayMs("a", 1)).toBe(0);
  });

  test("throttles an object with growing delays while it is written in every run", async () => {
    const { runs } = setUp();
    const loops = await runs(9, 10);
    expect(loops.map(({ delayMs }) => delayMs)).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
    expect(loops[0]).toMatchObject({ field: "status.x", runs: 5 });
  });

  test("names another object that most runs wrote, and none that was written occasionally", async () => {
    const everyTime = await setUp().runs(5, 10, ["status.x"], 1, () => ["deployment/a"]);
    expect(everyTime).toMatchObject([{ field: "status.x", other: "deployment/a" }]);
    const changing = await setUp().runs(5, 10, ["status.x"], 1, (run) => [`configmap/${run}`]);
    expect(changing[0]).not.toHaveProperty("other");
  });

  test("resets when a run writes nothing or the spec changes", async () => {
    for (const { fields, generation } of [
      { fields: [], generation: 1 },
      { fields: ["status.x"], generation: 2 },
    ]) {
      const { runs, guard } = setUp();
      await runs(6, 10);
      await runs(1, 10, fields, generation);
      expect(guard.delayMs("a", generation)).toBe(0);
      expect(await runs(3, 10, ["status.x"], generation)).toEqual([]);
    }
  });

  test("does not delay a new spec because of writes for the old one", async () => {
    const { runs, guard } = setUp();
    await runs(6, 0);
    expect([guard.delayMs("a", 1) > 0, guard.delayMs("a", 2)]).toEqual([true, 0]);
  });

  test("names the field that changes most often", async () => {
    const { runs } = setUp();
    await runs(2, 10, ["status.once"]);
    const [loop] = await runs(4, 10, ["status.flaps"]);
    expect(loop?.field).toBe("status.flaps");
  });
});
