import { runSeeds, storyText } from "@levelset/simulation/internal";
import { describe, expect, test } from "vitest";
import { campaignOf } from "./find-bug.ts";
import { BUGS } from "./index.ts";
import type { SimulationBug } from "./simulation-bug.ts";

/** Which corrected programs are simulated, and how. */
export interface NoAlarmOptions {
  readonly seeds: number;
  readonly firstSeed?: number;
  /** There may be fewer histories. */
  readonly minutes?: number;
  /** Default: all. */
  readonly filter?: (bug: SimulationBug) => boolean;
}

/** Simulates corrected programs, none of which may violate a rule. */
export function describeNoAlarm({ filter = () => true, ...options }: NoAlarmOptions): void {
  describe("a simulation", () => {
    test.for(BUGS.filter(filter).map((bug) => [bug.name, bug] as const))(
      "finds no bug in the twin of %s",
      async ([, bug]) => {
        const results = await runSeeds(await campaignOf(bug, "fixed"), options);
        expect(results.flatMap(({ failure }) => (failure === undefined ? [] : [storyText(failure)]))).toEqual([]);
        expect(results.length).toBeGreaterThanOrEqual(options.minutes === undefined ? options.seeds : 1);
      },
    );
  });
}
