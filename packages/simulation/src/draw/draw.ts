import type { Random } from "@levelset/core";
import { randomInt } from "@levelset/core/internal";

/** Returns a random option with uniform probability. Throws if there is none. */
export function pick<Value>(random: Random, options: readonly Value[]): Value {
  if (options.length === 0) throw new Error("there is no option to draw");
  return options[randomInt(random, 0, options.length - 1)] as Value; // the index is within the list
}

/** Returns true with the given probability from 0 to 1. */
export function chance(random: Random, probability: number): boolean {
  return random.next() < probability;
}

/** Returns an index of the weights, with a probability in proportion to its weight. */
export function weightedIndex(random: Random, weights: readonly number[]): number {
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  const found = weights.findIndex((weight) => (left -= weight) < 0);
  return found === -1 ? Math.max(0, weights.length - 1) : found;
}

/** Returns an option with a probability in proportion to its weight. */
export function pickWeighted<Value>(random: Random, options: readonly (readonly [weight: number, Value])[]): Value {
  const option =
    options[
      weightedIndex(
        random,
        options.map(([weight]) => weight),
      )
    ];
  if (option === undefined) throw new Error("there is no option to draw");
  return option[1];
}
