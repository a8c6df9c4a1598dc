import type { Problem } from "../api/index.ts";

/** Problems that say the same of several things, as one: when a cluster is away, so are all its kinds. */
export function gathered(problems: readonly Problem[]): readonly Problem[] {
  const groups = Map.groupBy(problems, ({ source, reason, message }) => JSON.stringify([source, reason, message]));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return [{ ...first, about: [first, ...others].map(({ about }) => about).join(", ") }];
  });
}
