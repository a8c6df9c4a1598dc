import { describe, expect, test } from "vitest";
import { findBug } from "./find-bug.ts";
import { BUGS } from "./index.ts";

const SEEDS_MAX = 2_000;

/** Searches a half of the bugs, so that both halves run at the same time. */
export function describeSearch(half: 0 | 1): void {
  const bugs = BUGS.filter((_, index) => index % 2 === half);
  describe("a simulation", () => {
    test.for(bugs.map((bug) => [bug.name, bug] as const))(
      "finds %s by a case that the corrected program passes",
      async ([, bug]) => {
        expect(await findBug(bug, SEEDS_MAX)).toBeDefined();
      },
    );
  });
}
