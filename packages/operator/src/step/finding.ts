import { unreachable } from "@levelset/core";
import type { Finding } from "@levelset/core";
import { describeResult } from "./result.ts";
import type { AnyResult } from "./result.ts";

/** The condition type under which a step shows up: its own, else its name. */
export function conditionType(step: { readonly name: string; readonly condition?: string }): string {
  return step.condition ?? step.name;
}

/** The conditions that a step manages. */
export function conditionTypes(step: {
  readonly condition?: string;
  readonly conditions?: readonly string[];
}): readonly string[] {
  return [...(step.condition === undefined ? [] : [step.condition]), ...(step.conditions ?? [])];
}

/** What the result of `do` or `post` says about the step's condition, unless the step says otherwise. */
export function resultFinding(type: string, result: AnyResult): Finding {
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

/** A step that was not reached because an earlier one was not ok. */
export function notReachedFinding(type: string, blockedBy: string): Finding {
  return { type, status: "Unknown", reason: "NotReached", message: `waiting for ${blockedBy}` };
}

/** A step whose cleanup is done: what the condition speaks of is gone. */
export function cleanedFinding(type: string): Finding {
  return { type, status: "False", severity: "Info", reason: "Deleted", message: `${type} cleaned up` };
}
