import type { Problem } from "../api/index.ts";

/** Merges problems with the same message, for example of all kinds of an unreachable cluster. */
export function mergeProblems(problems: readonly Problem[]): readonly Problem[] {
  const groups = Map.groupBy(problems, ({ source, reason, message }) => JSON.stringify([source, reason, message]));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return [{ ...first, about: [first, ...others].map(({ about }) => about).join(", ") }];
  });
}
