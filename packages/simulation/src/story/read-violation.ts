import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { stringifyJson } from "@levelset/core/internal";
import { isRule } from "../violation/index.ts";
import type { Difference, Violation } from "../violation/index.ts";

/** Reads a recorded violation. Returns what is wrong with it if it is none. */
export function readViolation(value: JsonValue | undefined): Violation | string {
  if (!isJsonObject(value)) return "violation: not an object";
  const { rule, message, expected, object, differences } = value;
  if (typeof rule !== "string") return "violation.rule: not a text";
  if (!isRule(rule)) return `violation.rule: unknown rule ${stringifyJson(rule)}`;
  if (typeof message !== "string") return "violation.message: not a text";
  if (typeof expected !== "string") return "violation.expected: not a text";
  if (object !== undefined && typeof object !== "string") return "violation.object: not a text";
  const found = differences === undefined ? undefined : readDifferences(differences);
  if (typeof found === "string") return found;
  return {
    rule,
    message,
    expected,
    ...(object === undefined ? {} : { object }),
    ...(found === undefined ? {} : { differences: found }),
  };
}

function readDifferences(value: JsonValue): readonly Difference[] | string {
  if (!Array.isArray(value)) return "violation.differences: not a list";
  const differences: Difference[] = [];
  for (const [index, item] of value.entries()) {
    const difference = readDifference(item);
    if (typeof difference === "string") return `violation.differences[${index}]${difference}`;
    differences.push(difference);
  }
  return differences;
}

function readDifference(item: JsonValue): Difference | string {
  if (!isJsonObject(item)) return ": not an object";
  const { object, path, expected, actual } = item;
  if (typeof object !== "string") return ".object: not a text";
  if (typeof path !== "string") return ".path: not a text";
  if (expected !== undefined && typeof expected !== "string") return ".expected: not a text";
  if (actual !== undefined && typeof actual !== "string") return ".actual: not a text";
  return { object, path, expected, actual };
}
