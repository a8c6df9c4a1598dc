import { invalidField } from "../../field.ts";
import { notNegative } from "../check.ts";
import type { Errors } from "../check.ts";

/** Numbers of pods in a rollout: whole numbers, or percentages. */

/** A number of pods, as decoding leaves it. */
export type Amount = number | string | undefined;

const PERCENT = /^[0-9]+%$/u;

/** Zero or more, or a percentage. */
export function* amountOfPodsErrors(path: string, amount: Amount): Errors {
  if (typeof amount !== "string") yield* notNegative(path, amount);
  else if (!PERCENT.test(amount)) {
    const why =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation " +
      "is '[0-9]+%')";
    yield invalidField(path, amount, why);
  }
}

/** Not more than all pods. */
export function* notAboveAllErrors(path: string, amount: Amount): Errors {
  if (typeof amount === "string" && PERCENT.test(amount) && valueOf(amount) > 100) {
    yield invalidField(path, amount, "must not be greater than 100%");
  }
}

/** Whether it stands for no pods at all. */
export function isNone(amount: Amount): boolean {
  return valueOf(amount) === 0;
}

function valueOf(amount: Amount): number {
  if (typeof amount !== "string") return amount ?? 0;
  const number = Number.parseInt(amount, 10);
  return Number.isNaN(number) ? 0 : number;
}
