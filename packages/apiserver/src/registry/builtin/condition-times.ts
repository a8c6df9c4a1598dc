import type { Draft } from "../draft.ts";
import { listOf, recordOf } from "../shape.ts";

/** Conditions with their times: what nobody gave is null, as the real server shows it. */
export function timed<T>(conditions: T, times: readonly string[]): T {
  if (conditions === undefined) return conditions;
  const unknown = Object.fromEntries(times.map((time) => [time, null]));
  // A list of objects in gives a list of objects of the same kind out.
  return listOf(conditions).map((condition) => ({ ...unknown, ...recordOf(condition) })) as T;
}

/** A draft whose status has such conditions. */
export function withTimes(draft: Draft, times: readonly string[]): Draft {
  const status = recordOf(draft["status"]);
  const { conditions } = status;
  return conditions === undefined ? draft : { ...draft, status: { ...status, conditions: timed(conditions, times) } };
}
