import { expect, test } from "vitest";
import { isFoundBy, SEEDS_MAX } from "./find-bug.ts";
import { FOUND_AT } from "./found-at.ts";
import { BUGS } from "./index.ts";

test.for(BUGS.map((bug) => [bug.name, bug] as const))(
  "a simulation finds %s by a case that the corrected program passes",
  async ([name, bug]) => {
    // Begins with the seed that found it last time. A change of what is drawn changes it.
    const seeds = [FOUND_AT[name] ?? 1, ...Array.from({ length: SEEDS_MAX }, (_, index) => index + 1)];
    expect(await isFoundBy(bug, seeds)).toBe(true);
  },
);
