import { ROLL_UP_TYPES } from "./kind.ts";
import type { ResourceCondition } from "./resource.ts";

const NAMES = Object.values(ROLL_UP_TYPES);

/** The name under which a condition is kept: Ready is kept as Reconciled, Available as LastKnownReconciled, any other as itself. */
export function keptType(type: string): string {
  return NAMES.find((names) => names.type === type)?.alias ?? type;
}

/** The conditions to keep, each once. */
export function keptConditions(conditions: readonly ResourceCondition[]): readonly ResourceCondition[] {
  return conditions.filter(({ type }) => keptType(type) === type);
}

/** All conditions of a resource, from those that are kept: those that sum it up come first, under both of their names. */
export function allConditions(kept: readonly ResourceCondition[]): readonly ResourceCondition[] {
  const sums = NAMES.flatMap(({ alias }) => kept.filter(({ type }) => type === alias));
  const again = NAMES.flatMap(({ type, alias }) => {
    return sums.filter((condition) => condition.type === alias).map((condition) => ({ ...condition, type }));
  });
  return [...sums, ...again, ...kept.filter((condition) => !sums.includes(condition))];
}
