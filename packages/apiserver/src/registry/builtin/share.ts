import { invalidField } from "../field.ts";
import { notNegative } from "./check.ts";
import type { Errors } from "./check.ts";

const PERCENT = "[0-9]+%";

/** A number of pods, or a share of all: `3` or `"30%"`, not more than all. */
export function* shareErrors(path: string, value: number | string): Errors {
  if (typeof value === "number") {
    yield* notNegative(path, value);
    return;
  }
  if (!new RegExp(`^${PERCENT}$`, "u").test(value)) {
    const why = `a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '${PERCENT}')`;
    yield invalidField(path, value, why);
  } else if (Number.parseInt(value, 10) > 100) {
    yield invalidField(path, value, "must not be greater than 100%");
  }
}
