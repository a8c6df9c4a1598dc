import { describeGeneration, generationState } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";

/**
 * Whether an object has become what its latest spec asks for. `failed` means that waiting alone will not help; everything else that
 * is not ready is on its way.
 */
export type Readiness =
  | { readonly kind: "ready"; readonly message: string }
  | { readonly kind: "progressing"; readonly message: string }
  /** `reason` is one word for programs: the object's own where it gives one, such as BackoffLimitExceeded. */
  | { readonly kind: "failed"; readonly reason: string; readonly message: string }
  | { readonly kind: "deleting"; readonly message: string };

/** It is as asked for. */
export function readyBecause(message: string): Readiness {
  return { kind: "ready", message };
}

/** It is on its way. */
export function progressing(message: string): Readiness {
  return { kind: "progressing", message };
}

/** It will not get there by itself. */
export function failed(reason: string, message: string): Readiness {
  return { kind: "failed", reason, message };
}

/** It will not get there by itself, as one of its conditions says. */
export function failedBy(condition: Loose): Readiness {
  return failed(text(condition, "reason") || text(condition, "type"), wordsOf(condition));
}

/** Any field of an object that is read without knowing its kind. */
export type Loose = Readonly<Record<string, unknown>>;

/** A part of an object as a mapping; empty where there is none. */
export function part(of: unknown, name: string): Loose {
  const value = loose(of)[name];
  return loose(value);
}

/** A value as a mapping; empty where it is none. */
export function loose(value: unknown): Loose {
  // Any object that is no list can be read by name.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}

/** A number of a mapping; `fallback` where there is none. */
export function count(of: Loose, name: string, fallback = 0): number {
  const value = of[name];
  return typeof value === "number" ? value : fallback;
}

/** A text of a mapping; empty where there is none. */
export function text(of: Loose, name: string): string {
  const value = of[name];
  return typeof value === "string" ? value : "";
}

/** The condition of a type. */
export function conditionOf(object: KubeObject, type: string): Loose | undefined {
  const conditions = part(object, "status")["conditions"];
  if (!Array.isArray(conditions)) return undefined;
  return conditions.map(loose).find((condition) => condition["type"] === type);
}

/**
 * Progressing, if the status or a condition of it is about another generation than the latest: such a status counts for nothing,
 * whatever it says. Undefined if it is about the latest, or does not say.
 */
export function staleness(object: KubeObject, condition?: string): Readiness | undefined {
  const state = generationState(object, undefined, condition);
  const isStale = state === "behind" || state === "ahead";
  return isStale ? progressing(describeGeneration(object, undefined, condition)) : undefined;
}

/** The words of a condition: its message, else its reason, else its name. */
export function wordsOf(condition: Loose): string {
  return text(condition, "message") || text(condition, "reason") || text(condition, "type");
}
