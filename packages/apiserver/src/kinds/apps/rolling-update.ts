import { invalidField } from "../../resource/index.ts";
import { nonNegativeErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";

/** Pod counts of a rollout: integers or percentages. */

/** An unvalidated integer or percentage. */
export type UnvalidatedIntOrPercent = number | string | undefined;

const PERCENT = /^[0-9]+%$/u;

/** Validates a non-negative integer or a percentage. */
export function* positiveIntOrPercentErrors(path: string, amount: UnvalidatedIntOrPercent): FieldErrors {
  if (typeof amount !== "string") yield* nonNegativeErrors(path, amount);
  else if (!PERCENT.test(amount)) {
    const why =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation " +
      "is '[0-9]+%')";
    yield invalidField(path, amount, why);
  }
}

/** Validates that a percentage is at most 100%. */
export function* notMoreThan100PercentErrors(path: string, amount: UnvalidatedIntOrPercent): FieldErrors {
  if (typeof amount === "string" && PERCENT.test(amount) && valueOf(amount) > 100) {
    yield invalidField(path, amount, "must not be greater than 100%");
  }
}

/** Returns whether the value is 0 or 0%. */
export function isZeroIntOrPercent(amount: UnvalidatedIntOrPercent): boolean {
  return valueOf(amount) === 0;
}

function valueOf(amount: UnvalidatedIntOrPercent): number {
  if (typeof amount !== "string") return amount ?? 0;
  const number = Number.parseInt(amount, 10);
  return Number.isNaN(number) ? 0 : number;
}
