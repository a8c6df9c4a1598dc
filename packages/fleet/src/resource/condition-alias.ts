import { ROLL_UP_TYPES } from "./kind/kind.ts";
import type { ResourceCondition } from "./resource.ts";

const NAMES = Object.values(ROLL_UP_TYPES);

/**
 * Returns the stored name of a condition: Ready is stored as Reconciled, Available as LastKnownReconciled, any other
 * unchanged.
 */
export function storedConditionType(type: string): string {
  return NAMES.find((names) => names.type === type)?.alias ?? type;
}

/** Returns the conditions to store, without aliases. */
export function storedConditions(conditions: readonly ResourceCondition[]): readonly ResourceCondition[] {
  return conditions.filter(({ type }) => storedConditionType(type) === type);
}

/** Returns all conditions of a resource from the stored ones: Ready and Available come first, under both names. */
export function allConditions(stored: readonly ResourceCondition[]): readonly ResourceCondition[] {
  const sums = NAMES.flatMap(({ alias }) => stored.filter(({ type }) => type === alias));
  const again = NAMES.flatMap(({ type, alias }) => {
    return sums.filter((condition) => condition.type === alias).map((condition) => ({ ...condition, type }));
  });
  return [...sums, ...again, ...stored.filter((condition) => !sums.includes(condition))];
}
