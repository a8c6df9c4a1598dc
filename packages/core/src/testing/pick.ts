import { randomInt } from "../time/index.ts";
import type { Random } from "../time/index.ts";

/** Returns a random option with uniform probability, or undefined if there are none. */
export function pick<T>(random: Random, options: readonly T[]): T | undefined {
  return options[randomInt(random, 0, options.length - 1)];
}

/** Returns true with the given probability from 0 to 1. */
export function chance(random: Random, probability: number): boolean {
  return random.next() < probability;
}
