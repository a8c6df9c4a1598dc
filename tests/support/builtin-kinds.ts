import * as core from "@levelset/core";
import type { Kind } from "@levelset/core";

/** The built-in kinds that core declares, by the name of their export: `Event` is before `EventV1`. */
export const BUILTIN_KINDS: readonly Kind[] = Object.entries<unknown>(core)
  // The names of a module namespace are sorted in Node, but not in vitest.
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([, value]) => value)
  .filter(isKind);

function isKind(value: unknown): value is Kind {
  return typeof value === "object" && value !== null && "kind" in value && "plural" in value && "schema" in value;
}
