import type { KubeObject } from "./object.ts";

/**
 * Which spec a status is about: `current` the latest one; `behind` an older one, so the controller has not observed the latest spec
 * yet: wait; `ahead` a later one, so this copy of the spec is old, or the object was restored from a backup: read the object again and
 * never call it ready; `unknown` the status does not say.
 */
export type GenerationState = "current" | "behind" | "ahead" | "unknown";

/** An object whose status may say which generation it is about: as a whole, or condition by condition. */
export interface Observed extends KubeObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly observedGeneration?: number }[];
  };
}

/** Compares the generation that a status is about with the latest one. `unknown` if either is missing. */
export function compareGenerations(observed: number | undefined, latest: number | undefined): GenerationState {
  if (observed === undefined || latest === undefined) return "unknown";
  if (observed === latest) return "current";
  return observed < latest ? "behind" : "ahead";
}

/**
 * The generation that a condition is about: `status.observedGeneration`, else the `observedGeneration` of the condition itself, which is
 * the only one that some kinds have (Gateway API). Undefined if neither is a number.
 */
export function observedGenerationOf(object: KubeObject, condition: string = "Ready"): number | undefined {
  // Objects of other writers hold anything.
  const { status } = object as { readonly status?: unknown };
  const whole = numberIn(status);
  if (whole !== undefined) return whole;
  const { conditions } = recordOf(status);
  if (!Array.isArray(conditions)) return undefined;
  return numberIn(conditions.find((one: unknown) => recordOf(one)["type"] === condition));
}

/**
 * Whether the status of an object, or one of its conditions, is about the latest spec. The latest generation is that of the object, or
 * `knownGeneration`, which a client read from the response to its own write.
 */
export function generationState(object: KubeObject, knownGeneration?: number, condition?: string): GenerationState {
  return compareGenerations(observedGenerationOf(object, condition), knownGeneration ?? object.metadata.generation);
}

/** Explains a state other than `current`: `observed generation 2 of 3`. */
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
  // Any object that is not null can be read by name.
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
