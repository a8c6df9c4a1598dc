import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { parseJson, stringifyJson } from "@levelset/core/internal";
import type { Difference } from "../violation/index.ts";

const DIFFERENCES_MAX = 12;

/** Formats differences by object. The fields of an object that is missing, or that should be, have a line each. */
export function differenceLines(differences: readonly Difference[]): readonly string[] {
  const shown = differences.slice(0, DIFFERENCES_MAX);
  const left = differences.length - shown.length;
  const byObject = Map.groupBy(shown, ({ object }) => object);
  return [
    ...[...byObject].flatMap(([object, own]) => [`${object}${presence(own)}`, ...own.flatMap(lines)]),
    ...(left > 0 ? [`and ${left} more`] : []),
  ];
}

function presence([first]: readonly Difference[]): string {
  if (first?.path !== "") return "";
  return first.actual === undefined ? " (missing)" : first.expected === undefined ? " (not expected)" : "";
}

function lines({ path, expected, actual }: Difference): readonly string[] {
  return [...valueLines("-", path, expected), ...valueLines("+", path, actual)];
}

function valueLines(sign: string, path: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return fieldsOf(path, value).map(([name, text]) => `  ${sign} ${name === "" ? "" : `${name}: `}${text}`);
}

/** Returns the fields of a whole object that are not empty; otherwise the value itself. */
function fieldsOf(path: string, value: string): readonly (readonly [string, string])[] {
  const object = path === "" ? parsed(value) : undefined;
  if (!isJsonObject(object)) return [[path, value]];
  const fields = Object.entries(object).filter(([, field]) => !isEmpty(field));
  return fields.map(([name, field]) => [name, stringifyJson(field)]);
}

function isEmpty(value: JsonValue | undefined): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Returns the value of a text; undefined if it is masked. */
function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
