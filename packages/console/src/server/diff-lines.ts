import { diff } from "node:util";
import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { DiffLine } from "../api/index.ts";
import { yamlLines } from "./yaml-lines.ts";

/** How many lines that did not change are shown around those that did. */
const CONTEXT = 3;

/** The difference between two states of an object, as lines of its YAML; where some are left out, a line with `@` stands. */
export function diffLines(before: JsonObject | undefined, after: JsonObject | undefined): readonly DiffLine[] {
  return diffTexts(linesOf(before), linesOf(after));
}

/** The difference between two texts. */
export function diffTexts(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const all = diff(before, after).map(([side, text]): DiffLine => {
    return { sign: side === 0 ? " " : side > 0 ? "-" : "+", text };
  });
  const shown = all.map((_, index) => isNearChange(all, index));
  return all.flatMap((line, index): readonly DiffLine[] => {
    if (shown[index] === true) return [line];
    return shown[index + 1] === true ? [{ sign: "@", text: "" }] : [];
  });
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
