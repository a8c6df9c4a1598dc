import { randomInt } from "../time/index.ts";
import type { Random } from "../time/index.ts";

/** One of the options, each as likely as the others; undefined when there is none. */
export function pick<T>(random: Random, options: readonly T[]): T | undefined {
  return options[randomInt(random, 0, options.length - 1)];
}

/** True that often: 0 is never, 1 is always. */
export function chance(random: Random, probability: number): boolean {
  return random.next() < probability;
}
