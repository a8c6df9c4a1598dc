import { diff } from "node:util";
import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { DiffLine } from "../api/index.ts";
import { yamlLines } from "./yaml-lines.ts";

/** How many lines that did not change are shown around those that did. */
const CONTEXT = 3;
/** How many lines are compared with each other, and how many are shown. */
const COMPARED_MAX = 2_000;
const SHOWN_MAX = 2_000;

/** The difference between two states of an object, as lines of its YAML; where some are left out, a line with `@` stands. */
export function diffLines(before: JsonObject | undefined, after: JsonObject | undefined): readonly DiffLine[] {
  return diffTexts(linesOf(before), linesOf(after));
}

/** The difference between two texts. */
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

/** All lines of both. Comparing takes time and memory by the square: of very different long texts, all of the one goes and all of the other comes. */
function differences(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const [gone, come] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const signed = (sign: DiffLine["sign"], texts: readonly string[]): readonly DiffLine[] =>
    texts.map((text) => ({ sign, text }));
  const isPlain = gone.length === 0 || come.length === 0 || gone.length + come.length > COMPARED_MAX;
  const between = isPlain
    ? [...signed("-", gone), ...signed("+", come)]
    : diff(gone, come).map(([side, text]): DiffLine => ({ sign: side === 0 ? " " : side > 0 ? "-" : "+", text }));
  return [...signed(" ", before.slice(0, head)), ...between, ...signed(" ", before.slice(before.length - tail))];
}

function isNearChange(lines: readonly DiffLine[], index: number): boolean {
  const near = lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  return near.some(({ sign }) => sign !== " ");
}

/** What names an object first, everything else by name, so that order is never a difference. */
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
