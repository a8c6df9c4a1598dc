import { runSeeds, storyText } from "@levelset/simulation/internal";
import { describe, expect, test } from "vitest";
import { campaignOf } from "./find-bug.ts";
import { BUGS } from "./index.ts";

/** Simulates all corrected programs, none of which may violate a rule. With `minutes`, there may be fewer histories. */
export function describeNoAlarm(options: {
  readonly seeds: number;
  readonly firstSeed?: number;
  readonly minutes?: number;
}): void {
  describe("a simulation", () => {
    test.for(BUGS.map((bug) => [bug.name, bug] as const))("finds no bug in the twin of %s", async ([, bug]) => {
      const results = await runSeeds(await campaignOf(bug, "fixed"), options);
      expect(results.flatMap(({ failure }) => (failure === undefined ? [] : [storyText(failure)]))).toEqual([]);
      expect(results.length).toBeGreaterThanOrEqual(options.minutes === undefined ? options.seeds : 1);
    });
  });
}
