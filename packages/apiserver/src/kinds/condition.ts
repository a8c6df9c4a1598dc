import type { StandardCondition } from "@levelset/core";
import {
  duplicateField,
  invalidField,
  requiredField,
  tooLongField,
  unsupportedField,
  qualifiedNameProblems,
} from "../resource/index.ts";
import { isEmptyString, stringErrors } from "./field-checks.ts";
import type { FieldErrors } from "./field-checks.ts";
import type { Unvalidated } from "./unvalidated.ts";

const STATUSES = ["False", "True", "Unknown"];
const REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const REASON_MAX_BYTES = 1024;
const MESSAGE_MAX_BYTES = 32 * 1024;

/** Validates conditions of type `metav1.Condition`. */
export function* conditionsErrors(path: string, conditions: Unvalidated<readonly StandardCondition[]>): FieldErrors {
  const types = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    const { type = "" } = condition;
    const at = `${path}[${index}]`;
    if (types.has(type)) yield duplicateField(`${at}.type`, type);
    types.add(type);
    yield* conditionErrors(at, condition);
  }
}

function* conditionErrors(path: string, condition: Unvalidated<StandardCondition>): FieldErrors {
  const { type = "", status = "", observedGeneration = 0, lastTransitionTime, reason, message = "" } = condition;
  yield* stringErrors(`${path}.type`, type, qualifiedNameProblems);
  if (!STATUSES.includes(status)) yield unsupportedField(`${path}.status`, status, STATUSES);
  if (observedGeneration < 0) {
    yield invalidField(`${path}.observedGeneration`, observedGeneration, "must be greater than or equal to zero");
  }
  if (isEmptyString(lastTransitionTime)) yield requiredField(`${path}.lastTransitionTime`);
  if (isEmptyString(reason)) yield requiredField(`${path}.reason`);
  else {
    yield* stringErrors(`${path}.reason`, reason, reasonProblems);
    if (reason.length > REASON_MAX_BYTES) yield tooLongField(`${path}.reason`, REASON_MAX_BYTES);
  }
  if (Buffer.byteLength(message) > MESSAGE_MAX_BYTES) yield tooLongField(`${path}.message`, MESSAGE_MAX_BYTES);
}

function reasonProblems(reason: string): readonly string[] {
  if (new RegExp(`^${REASON}$`, "u").test(reason)) return [];
  return [
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or " +
      "'_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or " +
      `'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON}')`,
  ];
}
