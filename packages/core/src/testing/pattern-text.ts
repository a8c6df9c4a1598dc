import { randomInt } from "../time/index.ts";
import type { Random } from "../time/index.ts";
import { parsePattern } from "./pattern-tree.ts";
import type { PatternTree } from "./pattern-tree.ts";
import { pick } from "./pick.ts";

/** How a text is made from a pattern. */
export interface PatternTextOptions {
  /** How often `*`, `+` and `{n,}` repeat beyond their least. */
  readonly extraMax: number;
}

/**
 * A text made along a regular expression, so that it most likely matches; undefined when the expression uses more than
 * characters, classes, groups, alternatives and repeats. Whoever needs a match checks it.
 */
export function patternText(pattern: string, random: Random, options: PatternTextOptions): string | undefined {
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
