import { generationState, observedGenerationOf, readinessOf } from "@levelset/core";
import { isUnobserved, objectState } from "@levelset/core/internal";
import type { ObjectState } from "@levelset/core";
import type { ObjectWithObservedGeneration } from "@levelset/core/internal";
import type { LoadedObject } from "./explain-input.ts";
import type { GenerationStatus, NodeState } from "./tree.ts";

/** State and message of an object. */
export interface NodeStatus {
  readonly state: NodeState;
  /** The state that people see. */
  readonly objectState: ObjectState;
  readonly message: string;
}

/**
 * Returns the state of an object according to its status. An object that no controller has observed, or whose status is
 * for a later generation, is not ready.
 */
export function nodeStatusOf({ object, hasStatus }: LoadedObject): NodeStatus {
  const { kind, message } = readinessOf(object);
  const shown = objectState(object, { hasStatus });
  if (kind === "ready" && isUnobserved(object, hasStatus)) {
    return { state: "progressing", objectState: shown, message: "no controller has observed it yet" };
  }
  return { state: kind, objectState: shown, message };
}

/** Returns the generation that the status of an object is for; undefined for kinds without observedGeneration. */
export function generationStatusOf(
  object: ObjectWithObservedGeneration,
  hasStatus: boolean,
): GenerationStatus | undefined {
  const { generation } = object.metadata;
  const observed = observedGenerationOf(object);
  if (generation === undefined) return undefined;
  if (observed === undefined) {
    return isUnobserved(object, hasStatus) ? { latest: generation, state: "behind" } : undefined;
  }
  return { latest: generation, observed, state: generationState(object) };
}
