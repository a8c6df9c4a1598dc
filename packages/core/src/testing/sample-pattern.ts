import { randomInt } from "../time/index.ts";
import type { Random } from "../time/index.ts";
import { parsePattern } from "./pattern-tree.ts";
import type { PatternTree } from "./pattern-tree.ts";
import { pick } from "./pick.ts";

/** Options of {@link samplePattern}. */
export interface SamplePatternOptions {
  /** Maximum repetitions of `*`, `+` and `{n,}` beyond their minimum. */
  readonly extraMax: number;
}

/**
 * Generates a string from a regular expression. It matches in most cases; the caller must check it. Returns undefined
 * if the expression uses more than characters, classes, groups, alternatives and repetitions.
 */
export function samplePattern(pattern: string, random: Random, options: SamplePatternOptions): string | undefined {
  const tree = parsePattern(pattern);
  return tree === undefined ? undefined : textOf(tree, random, options.extraMax);
}

function textOf(tree: PatternTree, random: Random, extraMax: number): string {
  switch (tree.kind) {
    case "characters":
      return characterOf(tree.ranges, random);
    case "sequence":
      return tree.parts.map((part) => textOf(part, random, extraMax)).join("");
    case "choice": {
      const option = pick(random, tree.options);
      return option === undefined ? "" : textOf(option, random, extraMax);
    }
    case "repeat": {
      const length = randomInt(random, tree.min, Math.max(tree.min, Math.min(tree.max, tree.min + extraMax)));
      return Array.from({ length }, () => textOf(tree.part, random, extraMax)).join("");
    }
  }
}

function characterOf(ranges: readonly (readonly [number, number])[], random: Random): string {
  const range = pick(random, ranges);
  return range === undefined ? "" : String.fromCodePoint(randomInt(random, range[0], range[1]));
}
