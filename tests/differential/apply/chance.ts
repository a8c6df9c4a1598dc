import { randomInt } from "@levelset/core";
import type { Random } from "@levelset/core";

/** True that often. */
export function chance(random: Random, probability: number): boolean {
  return random.next() < probability;
}

/** One of the options. */
export function oneOf<T>(random: Random, options: readonly T[]): T {
  const option = options[randomInt(random, 0, options.length - 1)];
  if (option === undefined) throw new TypeError("nothing to choose from");
  return option;
}

/** Some of the options, in any order, or none. */
export function someOf<T>(random: Random, options: readonly T[]): readonly T[] {
  return options
    .filter(() => chance(random, 0.5))
    .map((option) => ({ option, rank: random.next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ option }) => option);
}
