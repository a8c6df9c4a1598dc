import { expect, test } from "vitest";
import { findBug, SEEDS_MAX } from "./find-bug.ts";
import { BUGS } from "./index.ts";

const SIZE_MAX = 6;

test.for(BUGS.map((bug) => [bug.name, bug] as const))(
  "a simulation finds %s from the first seed on, and shrinks it to a short story",
  async ([, bug]) => {
    const found = await findBug(bug, SEEDS_MAX);
    expect(found?.size).toBeLessThanOrEqual(SIZE_MAX);
  },
);
