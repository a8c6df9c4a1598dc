import { randomInt } from "@levelset/core/internal";
import type { Random } from "@levelset/core";

/** Returns true with this probability. */
export function chance(random: Random, probability: number): boolean {
  return random.next() < probability;
}

/** Returns one of the options. */
export function oneOf<T>(random: Random, options: readonly T[]): T {
  const option = options[randomInt(random, 0, options.length - 1)];
  if (option === undefined) throw new TypeError("the list of options is empty");
  return option;
}

/** Returns some of the options in any order, possibly none. */
export function someOf<T>(random: Random, options: readonly T[]): readonly T[] {
  return options
    .filter(() => chance(random, 0.5))
    .map((option) => ({ option, rank: random.next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ option }) => option);
}
