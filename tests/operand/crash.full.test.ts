import { randomInt } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { liveAndDie } from "./mortals.ts";

describe(
  "50 · specs flip at random: the invariants hold, the end is right, nothing is left",
  { timeout: 300_000 },
  () => {
    test("200 flips, killed after every single write", async () => {
      const { deaths } = await liveAndDie({ seed: 2, flips: 200, writesOfALife: () => 1 });
      expect(deaths).toBeGreaterThan(500);
    });

    test("200 flips, killed after a few writes, while watches are late", async () => {
      const writesOfALife = (random: Parameters<typeof randomInt>[0]): number => randomInt(random, 1, 12);
      const { events } = await liveAndDie({ seed: 3, flips: 200, writesOfALife, lagMs: 1_500 });
      expect(events).toBeGreaterThan(500);
    });

    test.each([11, 12, 13, 14, 15, 16, 17, 18])("60 flips from seed %i", async (seed) => {
      const { deaths } = await liveAndDie({ seed, flips: 60, writesOfALife: () => 1 });
      expect(deaths).toBeGreaterThan(200);
    });
  },
);
