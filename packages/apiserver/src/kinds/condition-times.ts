import type { UnvalidatedObject } from "../resource/index.ts";
import { asArray, asRecord } from "../resource/index.ts";

/** Sets missing times of conditions to null, as Go encodes a zero `metav1.Time` without `omitempty`. */
export function withNullTimes<T>(conditions: T, times: readonly string[]): T {
  if (conditions === undefined) return conditions;
  const unknown = Object.fromEntries(times.map((time) => [time, null]));
  // The cast is safe: the items retain all fields.
  return asArray(conditions).map((condition) => ({ ...unknown, ...asRecord(condition) })) as T;
}

/** Returns a draft with null for missing times of its status conditions. */
export function withConditionTimes(draft: UnvalidatedObject, times: readonly string[]): UnvalidatedObject {
  const status = asRecord(draft["status"]);
  const { conditions } = status;
  return conditions === undefined
    ? draft
    : { ...draft, status: { ...status, conditions: withNullTimes(conditions, times) } };
}
