import type { KubeObject } from "./object.ts";

/**
 * How an object's status relates to its spec (seed of the whole product):
 * `current` the status speaks of the latest spec; `behind` the controller has not seen it yet: wait;
 * `ahead` somebody else changed the spec after our read: read again, apply again, never claim ready.
 */
export type GenerationState = "current" | "behind" | "ahead";

/** An object whose status may tell which generation it speaks of. */
export interface Observed extends KubeObject {
  readonly status?: { readonly observedGeneration?: number };
}

/**
 * Compares what the status speaks of with the latest generation known: the object's own, or `knownGeneration`, which a client
 * got back from its own write.
 */
export function generationState(object: Observed, knownGeneration?: number): GenerationState {
  const generation = knownGeneration ?? object.metadata.generation ?? 0;
  const observed = object.status?.observedGeneration;
  if (observed === undefined || observed < generation) return "behind";
  return observed > generation ? "ahead" : "current";
}
