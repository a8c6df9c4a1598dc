import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { stringifyJson } from "@levelset/core/internal";

/** Returns what is wrong with the value at a path; undefined if it is valid. */
export type Check = (value: JsonValue | undefined, path: string) => string | undefined;
/** The checks of the fields of an object. Other fields may have any value. */
export type Fields = Readonly<Record<string, Check>>;

/** Checks a value by a function. `expected` says what a valid value is. */
export function checkBy(expected: string, isValid: (value: JsonValue | undefined) => boolean): Check {
  return (value, path) => (isValid(value) ? undefined : `${path}: not ${expected}`);
}

export const checkText: Check = checkBy("a text", (value) => typeof value === "string");

/** Checks a value if it is given. */
export function optional(check: Check): Check {
  return (value, path) => (value === undefined ? undefined : check(value, path));
}

/** Checks a text that is one of several words. */
export function checkWord<Word extends string>(words: Readonly<Record<Word, true>>): Check {
  return (value, path) =>
    typeof value === "string" && Object.hasOwn(words, value) ? undefined : `${path}: ${unknownValue(value)}`;
}

/** Checks each item of a list. */
export function checkList(check: Check): Check {
  return (value, path) =>
    Array.isArray(value)
      ? first(value.map((item: JsonValue, index) => check(item, `${path}[${index}]`)))
      : `${path}: not a list`;
}

/** Checks the fields of an object. */
export function checkFields(fields: Fields): Check {
  return (value, path) =>
    isJsonObject(value)
      ? first(Object.entries(fields).map(([name, check]) => check(value[name], `${path}.${name}`)))
      : `${path}: not an object`;
}

/** Checks an object whose fields depend on the word in one of them. */
export function checkTagged(tag: string, shapes: Readonly<Record<string, Fields>>, common: Fields = {}): Check {
  return (value, path) => {
    if (!isJsonObject(value)) return `${path}: not an object`;
    const word = value[tag];
    const fields = typeof word === "string" && Object.hasOwn(shapes, word) ? shapes[word] : undefined;
    return fields === undefined
      ? `${path}.${tag}: ${unknownValue(word)}`
      : checkFields({ ...fields, ...common })(value, path);
  };
}

/** Describes a value that is none of several words. */
export function unknownValue(value: JsonValue | undefined): string {
  return value === undefined ? "missing" : `unknown value ${stringifyJson(value)}`;
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}
