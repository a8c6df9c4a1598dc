import { generationState } from "../object/index.ts";
import type { GenerationState, KubeObject } from "../object/index.ts";
import { findCondition, isTrue, READY } from "./condition.ts";
import type { Condition, Finding } from "./condition.ts";

/** An object with conditions in its status, as far as it has been reconciled at all. */
export interface Conditioned extends KubeObject {
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly Condition[] };
}

/** Whether the latest spec (or at least `knownGeneration`, from our own write) has been reached. */
export function isReady(object: Conditioned, knownGeneration?: number): boolean {
  return readyState(object, knownGeneration) === "current" && isTrue(object.status?.conditions, READY);
}

/**
 * A child's Ready as a finding `type` of its parent. A child that was never reconciled, or whose status speaks of another
 * generation than its spec, gives Unknown: an old Ready says nothing about the new spec. The message does not name the child.
 */
export function mirror(type: string, child: Conditioned | undefined): Finding {
  if (child === undefined) return { type, status: "Unknown", reason: "Init", message: "does not exist yet" };
  const ready = findCondition(child.status?.conditions, READY);
  if (ready === undefined) return { type, status: "Unknown", reason: "Init", message: "not reconciled yet" };
  const state = readyState(child);
  if (state !== "current") {
    const message = `reports generation ${observedBy(child) ?? 0}, its spec is at ${child.metadata.generation ?? 0}`;
    return { type, status: "Unknown", reason: state === "behind" ? "Behind" : "Ahead", message };
  }
  const { status, severity, reason, message } = ready;
  return { type, status, ...(severity === undefined ? {} : { severity }), reason, message };
}

function readyState(object: Conditioned, knownGeneration?: number): GenerationState {
  const { apiVersion, kind, metadata } = object;
  const observedGeneration = observedBy(object);
  const status = observedGeneration === undefined ? {} : { observedGeneration };
  return generationState({ apiVersion, kind, metadata, status }, knownGeneration);
}

/** The generation that Ready speaks of. Some kinds of others tell it only inside of the condition. */
function observedBy(object: Conditioned): number | undefined {
  return object.status?.observedGeneration ?? findCondition(object.status?.conditions, READY)?.observedGeneration;
}
