import { describeGeneration, generationState } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";
import { findCondition, isTrue, READY } from "./condition.ts";
import type { Condition, Finding } from "./condition.ts";

/** An object with conditions in its status, as far as it has been reconciled at all. */
export interface Conditioned extends KubeObject {
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly Condition[] };
}

/** Whether Ready is True for the latest spec: for the object's own generation, or `knownGeneration` from our own write. */
export function isReady(object: Conditioned, knownGeneration?: number): boolean {
  return generationState(object, knownGeneration) === "current" && isTrue(object.status?.conditions, READY);
}

/**
 * A child's Ready as a finding `type` of its parent. A child that was never reconciled, or whose status is about another generation than
 * its spec or does not say about which, gives Unknown: an old Ready says nothing about the new spec. The message does not name the child.
 */
export function mirror(type: string, child: Conditioned | undefined): Finding {
  if (child === undefined) return { type, status: "Unknown", reason: "Init", message: "does not exist yet" };
  const ready = findCondition(child.status?.conditions, READY);
  if (ready === undefined) return { type, status: "Unknown", reason: "Init", message: "not reconciled yet" };
  const state = generationState(child);
  if (state !== "current") {
    const reason = state === "ahead" ? "Ahead" : "Behind";
    return { type, status: "Unknown", reason, message: describeGeneration(child) };
  }
  const { status, severity, reason, message } = ready;
  return { type, status, ...(severity === undefined ? {} : { severity }), reason, message };
}
