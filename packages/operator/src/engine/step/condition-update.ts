import type { ConditionUpdate } from "@levelset/core";
import { unreachable } from "@levelset/core/internal";
import { describeResult } from "./result.ts";
import type { AnyResult } from "./result.ts";

/** Returns the condition type that reports a step: its declared condition, or else its name. */
export function conditionType(step: { readonly name: string; readonly condition?: string }): string {
  return step.condition ?? step.name;
}

/** Returns the condition types that a step manages. */
export function conditionTypes(step: {
  readonly condition?: string;
  readonly conditions?: readonly string[];
}): readonly string[] {
  return [...(step.condition === undefined ? [] : [step.condition]), ...(step.conditions ?? [])];
}

/** Converts the result of `do` or `post` to the step's condition. Overrides in the result take precedence. */
export function resultCondition(type: string, result: AnyResult): ConditionUpdate {
  const message = describeResult(result);
  switch (result.kind) {
    case "ok":
      return { type, status: "True", reason: "Ready", message: `${type} complete` };
    case "wait":
    case "requeueAfter":
      return { type, status: "False", severity: "Info", reason: "Requested", message, ...result.condition };
    case "fail":
      return { type, status: "False", severity: "Warning", reason: "Error", message, ...result.condition };
    case "terminal":
      return { type, status: "False", severity: "Error", reason: "Error", message, ...result.condition };
    default:
      return unreachable(result);
  }
}

/** Reason of the condition of a step that was skipped because an earlier step was not ok. */
export const NOT_REACHED = "NotReached";
/** Reason of the condition of a step whose cleanup has succeeded. */
export const CLEANED_UP = "Deleted";

/** Returns the condition of a step that was skipped because an earlier step was not ok. */
export function notReachedCondition(type: string, blockedBy: string): ConditionUpdate {
  return { type, status: "Unknown", reason: NOT_REACHED, message: `waiting for ${blockedBy}` };
}

/** Returns the condition of a step whose cleanup has succeeded, or was skipped at the request of a person. */
export function cleanedUpCondition(type: string, how: "cleaned up" | "cleanup skipped"): ConditionUpdate {
  return { type, status: "False", severity: "Info", reason: CLEANED_UP, message: `${type} ${how}` };
}
