import { describeGeneration, generationState } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";

/**
 * Whether an object has reached its latest spec. `failed`: a person has to act. `progressing`: it may become ready
 * without one.
 */
export type Readiness =
  | { readonly kind: "ready"; readonly message: string }
  | { readonly kind: "progressing"; readonly message: string }
  /** `reason` is machine-readable: that of the object if it has one, such as BackoffLimitExceeded. */
  | { readonly kind: "failed"; readonly reason: string; readonly message: string }
  | { readonly kind: "deleting"; readonly message: string };

/** How the readiness of a built-in kind is computed. */
export interface ReadinessRule {
  readonly of: (object: KubeObject) => Readiness;
  /** The condition that decides, if it is another one than Ready. */
  readonly condition?: string;
  /** Whether the controller of the kind always reports the observed generation. */
  readonly isAlwaysObserved?: true;
}

/** Returns Ready with a message. */
export function readyWith(message: string): Readiness {
  return { kind: "ready", message };
}

/** Returns Progressing with a message. */
export function progressingWith(message: string): Readiness {
  return { kind: "progressing", message };
}

/** Returns Failed with a reason and a message. */
export function failedWith(reason: string, message: string): Readiness {
  return { kind: "failed", reason, message };
}

/** Returns Failed with the reason and message of a condition. */
export function failedByCondition(condition: UnknownRecord): Readiness {
  return failedWith(stringField(condition, "reason") || stringField(condition, "type"), conditionMessage(condition));
}

/** Fields of an object of unknown kind. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

/** Returns a field as a record; empty if it is absent or not an object. */
export function recordField(of: unknown, name: string): UnknownRecord {
  const value = asRecord(of)[name];
  return asRecord(value);
}

/** Returns a value as a record; empty if it is not an object. */
export function asRecord(value: unknown): UnknownRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as UnknownRecord) : {};
}

/** Returns a number field, or `fallback` if it is absent. */
export function numberField(of: UnknownRecord, name: string, fallback = 0): number {
  const value = of[name];
  return typeof value === "number" ? value : fallback;
}

/** Returns a string field, or the empty string if it is absent. */
export function stringField(of: UnknownRecord, name: string): string {
  const value = of[name];
  return typeof value === "string" ? value : "";
}

/** Returns the condition of that type, or undefined. */
export function findRawCondition(object: KubeObject, type: string): UnknownRecord | undefined {
  const conditions = recordField(object, "status")["conditions"];
  if (!Array.isArray(conditions)) return undefined;
  return conditions.map(asRecord).find((condition) => condition["type"] === type);
}

/**
 * Returns Progressing if the status, or the given condition, is of another generation than the latest. Returns
 * undefined if it is of the latest generation, or if the status has no generation.
 */
export function staleness(object: KubeObject, condition?: string): Readiness | undefined {
  const state = generationState(object, undefined, condition);
  const isStale = state === "behind" || state === "ahead";
  return isStale ? progressingWith(describeGeneration(object, undefined, condition)) : undefined;
}

/** Returns the message of a condition, else its reason, else its type. */
export function conditionMessage(condition: UnknownRecord): string {
  return stringField(condition, "message") || stringField(condition, "reason") || stringField(condition, "type");
}
