import { generationState, isUnobserved, observedGenerationOf, parseApiVersion, readinessOf } from "@levelset/core";
import type { KubeObject, Observed } from "@levelset/core";
import type { ReadObject } from "./facts.ts";
import type { GenerationNote, NodeState } from "./tree.ts";

/** How an object stands, in a word and in words. */
export interface Standing {
  readonly state: NodeState;
  readonly message: string;
}

/** The state of an object by its own status. An object that no controller has observed, or whose status is ahead of this copy, is not ready. */
export function standingOf({ object, hasStatus }: ReadObject): Standing {
  const { kind, message } = readinessOf(object);
  if (kind !== "ready") return { state: kind, message };
  if (isUnobserved(object, hasStatus)) return { state: "progressing", message: "no controller has observed it yet" };
  return { state: "ready", message };
}

/** Which spec the status of an object speaks of; undefined for kinds that do not tell. */
export function generationOf(object: Observed, hasStatus: boolean): GenerationNote | undefined {
  const { generation } = object.metadata;
  const observed = observedGenerationOf(object);
  if (generation === undefined) return undefined;
  if (observed === undefined) {
    return isUnobserved(object, hasStatus) ? { latest: generation, state: "behind" } : undefined;
  }
  return { latest: generation, observed, state: generationState(object) };
}

/** Whether an object is of a kind of Kubernetes itself, whose conditions have meanings of their own. */
export function isBuiltIn(object: Pick<KubeObject, "apiVersion">): boolean {
  return !parseApiVersion(object.apiVersion).group.includes(".");
}
