import { describeGeneration, generationState } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";
import { conditionUpdateOf, findCondition, INIT, isConditionTrue, READY } from "./condition.ts";
import type { Condition, ConditionUpdate } from "./condition.ts";

/** An object that may have conditions in its status. */
export interface ObjectWithConditions extends KubeObject {
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly Condition[] };
}

/**
 * Reports whether Ready is True for the latest spec: for the object's own generation, or for `knownGeneration`, taken
 * from the response to our own write.
 */
export function isReady(object: ObjectWithConditions, knownGeneration?: number): boolean {
  return generationState(object, knownGeneration) === "current" && isConditionTrue(object.status?.conditions, READY);
}

/**
 * Returns the Ready condition of a child as a condition update of its parent, with the given type. Returns Unknown if
 * the child was never reconciled, or if its status covers another generation or none: an old Ready does not apply to
 * the new spec. The message does not name the child.
 */
export function mirrorReady(type: string, child: ObjectWithConditions | undefined): ConditionUpdate {
  if (child === undefined) return { type, status: "Unknown", reason: INIT, message: "does not exist yet" };
  const ready = findCondition(child.status?.conditions, READY);
  if (ready === undefined) return { type, status: "Unknown", reason: INIT, message: "not reconciled yet" };
  const state = generationState(child);
  if (state !== "current") {
    const reason = state === "ahead" ? "Ahead" : "Behind";
    return { type, status: "Unknown", reason, message: describeGeneration(child) };
  }
  return { ...conditionUpdateOf(ready), type };
}
