import { expect, test } from "vitest";
import { ruleThatFinds, SEEDS_MAX } from "./find-bug.ts";
import { FOUND_AT } from "./found-at.ts";
import { BUGS } from "./index.ts";

test("every bug has the seed that found it", () => {
  expect(Object.keys(FOUND_AT).toSorted()).toEqual(BUGS.map(({ name }) => name).toSorted());
});

test.for(BUGS.map((bug) => [bug.name, bug] as const))(
  "a simulation finds %s by a case that the corrected program passes",
  async ([name, bug]) => {
    const [seed, rule] = FOUND_AT[name] ?? [];
    // Begins with the seed that found it last time. A change of what is drawn changes the seed, and perhaps the rule.
    const seeds = [
      ...(seed === undefined ? [] : [seed]),
      ...Array.from({ length: SEEDS_MAX }, (_, index) => index + 1),
    ];
    expect(await ruleThatFinds(bug, seeds)).toBe(rule);
  },
);
