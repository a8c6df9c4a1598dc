import { randomInt } from "@levelset/core/internal";
import { describe, expect, test } from "vitest";
import { runCrashLoop } from "./crash-loop.ts";

describe("specs change at random: the invariants hold, the last specs are reached, no objects are left", () => {
  test("200 changes, with a crash after each write", async () => {
    const { crashes } = await runCrashLoop({ seed: 2, specChanges: 200, writesBeforeCrash: () => 1 });
    expect(crashes).toBeGreaterThan(500);
  });

  test("200 changes, with a crash after a few writes and delayed watches", async () => {
    const writesOfALife = (random: Parameters<typeof randomInt>[0]): number => randomInt(random, 1, 12);
    const { events } = await runCrashLoop({
      seed: 3,
      specChanges: 200,
      writesBeforeCrash: writesOfALife,
      lagMs: 1_500,
    });
    expect(events).toBeGreaterThan(500);
  });

  test.each([11, 12, 13, 14, 15, 16, 17, 18])("60 changes from seed %i", async (seed) => {
    const { crashes } = await runCrashLoop({ seed, specChanges: 60, writesBeforeCrash: () => 1 });
    expect(crashes).toBeGreaterThan(200);
  });
});
