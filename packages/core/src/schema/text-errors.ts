import { isJsonObject, textProblem } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { childPath } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";

/** Limits the output for hostile documents. */
const ERRORS_MAX = 20;

/** An error of a key or value that cannot be stored. */
export interface TextError extends FieldError {
  /** The message without its reason: `must not contain the character U+0000 (found at position 1)`. */
  readonly problem: string;
}

/**
 * Returns errors for keys and values that cannot be stored: strings with U+0000 or malformed Unicode. At most 20 are
 * reported. The messages do not quote values, which may be secrets.
 */
export function textErrors(value: JsonValue): readonly TextError[] {
  const errors: TextError[] = [];
  collect(value, "", errors);
  return errors;
}

function collect(value: JsonValue, path: string, errors: TextError[]): void {
  if (errors.length === ERRORS_MAX) return;
  if (typeof value === "string") {
    const problem = textProblem(value);
    if (problem !== undefined) errors.push(textError(path, problem));
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, childPath(path, index), errors);
  } else if (isJsonObject(value)) {
    collectMembers(value, path, errors);
  }
}

function collectMembers(value: Readonly<Record<string, JsonValue>>, path: string, errors: TextError[]): void {
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    const problem = textProblem(name);
    const at = childPath(path, problem === undefined ? name : escaped(name));
    if (problem !== undefined && errors.length < ERRORS_MAX) errors.push(textError(at, `the key ${problem}`));
    const member = value[name];
    if (member !== undefined) collect(member, at, errors);
  }
}

function textError(field: string, problem: string): TextError {
  return { reason: "FieldValueInvalid", field, message: `Invalid value: ${problem}`, problem };
}

/** Returns the key in JSON escapes: `a\ud800b`. */
function escaped(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}
