import type { Kind } from "@levelset/core";
import type { ResultOptions } from "./result.ts";

/** How a step reads from the cache. */
export type CacheRead = "get" | "owned" | "select";

const FIX: Readonly<Record<CacheRead, (kind: string) => string>> = {
  get: (kind) => `add reference(…, ${kind}, …) to reads, or ${kind} to owns`,
  owned: (kind) => `add ${kind} to owns`,
  select: (kind) => `add referenceByLabels(…, ${kind}, …) to reads`,
};

/** A step reads objects of a kind that no step declares, so that they are not in the cache. */
export class UndeclaredKindError extends TypeError {
  override readonly name: string = "UndeclaredKindError";

  constructor({ kind }: Kind, read: CacheRead) {
    super(`req.${read}(${kind}) reads objects that no step declares: ${FIX[read](kind)}`);
  }
}

/** Reason of the condition of a step that reads objects of an undeclared kind. */
const NOT_DECLARED = "NotDeclared";

/** Returns how the condition of a step reports an error that the step threw, if not as any other. */
export function thrownCondition(error: unknown): ResultOptions | undefined {
  // A retry does not help: the author of the operator has to act.
  return error instanceof UndeclaredKindError ? { severity: "Error", reason: NOT_DECLARED } : undefined;
}
