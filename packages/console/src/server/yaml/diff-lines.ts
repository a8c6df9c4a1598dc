import { diff } from "node:util";
import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { DiffLine } from "../../api/index.ts";
import { yamlLines } from "./yaml-lines.ts";

/** Number of unchanged context lines around each change. */
const CONTEXT = 3;
/** Maximum number of lines that are compared, and of lines in the result. */
const COMPARED_MAX = 2_000;
const SHOWN_MAX = 2_000;

/** Returns the diff of two versions of an object as YAML lines. A line with `@` marks omitted lines. */
export function diffLines(before: JsonObject | undefined, after: JsonObject | undefined): readonly DiffLine[] {
  return diffTexts(linesOf(before), linesOf(after));
}

/** Returns the diff of two texts. */
export function diffTexts(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const all = differences(before, after);
  const shown = all.map((_, index) => isNearChange(all, index));
  const lines = all.flatMap((line, index): readonly DiffLine[] => {
    if (shown[index] === true) return [line];
    return shown[index + 1] === true ? [{ sign: "@", text: "" }] : [];
  });
  if (lines.length <= SHOWN_MAX) return lines;
  return [
    ...lines.slice(0, SHOWN_MAX),
    { sign: "@", text: ` ${lines.length - SHOWN_MAX} more lines are not shown here` },
  ];
}

/**
 * Returns all lines of both texts. The comparison takes quadratic time and memory, so beyond the limit all differing
 * lines are shown as one removed and one added block.
 */
function differences(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const [removed, added] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const signed = (sign: DiffLine["sign"], texts: readonly string[]): readonly DiffLine[] =>
    texts.map((text) => ({ sign, text }));
  const isPlain = removed.length === 0 || added.length === 0 || removed.length + added.length > COMPARED_MAX;
  const between = isPlain
    ? [...signed("-", removed), ...signed("+", added)]
    : diff(removed, added).map(([side, text]): DiffLine => ({ sign: side === 0 ? " " : side > 0 ? "-" : "+", text }));
  return [...signed(" ", before.slice(0, head)), ...between, ...signed(" ", before.slice(before.length - tail))];
}

function isNearChange(lines: readonly DiffLine[], index: number): boolean {
  const near = lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  return near.some(({ sign }) => sign !== " ");
}

/** Identifying fields come first, all others are sorted by name, so that the field order causes no difference. */
function linesOf(object: JsonObject | undefined): string[] {
  if (object === undefined) return [];
  const { apiVersion, kind, metadata, ...rest } = object;
  const ordered = {
    apiVersion: apiVersion ?? "",
    kind: kind ?? "",
    metadata: sorted(metadata ?? {}),
    ...(sorted(rest) as JsonObject),
  };
  return yamlLines(ordered, []).map(({ text }) => text);
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted); // isArray loses the type of the items
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, sorted(member)] as const],
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
