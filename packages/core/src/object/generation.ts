import type { KubeObject } from "./object.ts";

/**
 * Which generation a status covers.
 * `current`: the latest one.
 * `behind`: an older one; the controller has not observed the latest spec yet.
 * `ahead`: a newer one; this copy of the spec is stale, or the object was restored from a backup. Read the object again
 * and do not treat it as ready.
 * `unknown`: the status has no generation.
 */
export type GenerationState = "current" | "behind" | "ahead" | "unknown";

/** An object whose status may have an observed generation, as a whole or per condition. */
export interface ObjectWithObservedGeneration extends KubeObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly observedGeneration?: number }[];
  };
}

/** Compares the observed generation with the latest one. Returns `unknown` if either is missing. */
export function compareGenerations(observed: number | undefined, latest: number | undefined): GenerationState {
  if (observed === undefined || latest === undefined) return "unknown";
  if (observed === latest) return "current";
  return observed < latest ? "behind" : "ahead";
}

/**
 * Returns the generation that a condition covers: `status.observedGeneration`, else the `observedGeneration` of the
 * condition itself. Some kinds have only the latter (Gateway API). Returns undefined if neither is a number.
 */
export function observedGenerationOf(object: KubeObject, condition: string = "Ready"): number | undefined {
  // Objects of other writers may have a status of any type.
  const { status } = object as { readonly status?: unknown };
  const whole = numberIn(status);
  if (whole !== undefined) return whole;
  const { conditions } = recordOf(status);
  if (!Array.isArray(conditions)) return undefined;
  return numberIn(conditions.find((one: unknown) => recordOf(one)["type"] === condition));
}

/**
 * Reports which generation the status of an object, or one of its conditions, covers. The latest generation is that of
 * the object, or `knownGeneration` from the response to our own write.
 */
export function generationState(object: KubeObject, knownGeneration?: number, condition?: string): GenerationState {
  return compareGenerations(observedGenerationOf(object, condition), knownGeneration ?? object.metadata.generation);
}

/** Describes a state other than `current`: `observed generation 2 of 3`. */
export function describeGeneration(object: KubeObject, knownGeneration?: number, condition?: string): string {
  const observed = observedGenerationOf(object, condition);
  const latest = knownGeneration ?? object.metadata.generation;
  switch (compareGenerations(observed, latest)) {
    case "current":
    case "behind":
      return `observed generation ${observed} of ${latest}`;
    case "ahead":
      return `the status is about generation ${observed}, ahead of generation ${latest}`;
    case "unknown":
      return latest === undefined ? "the object has no generation" : `generation ${latest} is not observed yet`;
  }
}

function numberIn(value: unknown): number | undefined {
  const { observedGeneration } = recordOf(value);
  return typeof observedGeneration === "number" ? observedGeneration : undefined;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
