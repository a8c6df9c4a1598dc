import { diff } from "node:util";
import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { StyledText } from "../terminal/index.ts";
import { formatYaml } from "../yaml/index.ts";

/** Number of unchanged context lines around each change. */
const CONTEXT = 3;

interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** Returns a unified diff of the YAML of two states of an object; empty if they are equal. */
export function objectDiff(before: JsonObject | undefined, after: JsonObject | undefined): readonly StyledText[] {
  const lines = compared(yamlLines(before), yamlLines(after));
  return hunksOf(lines).flatMap(({ start, end }) => [
    header(lines, start, end),
    ...lines.slice(start, end).map(spanOf),
  ]);
}

function compared(before: readonly string[], after: readonly string[]): readonly Line[] {
  return diff([...before], [...after]).map(([side, text]) => ({ sign: side === 0 ? " " : side > 0 ? "-" : "+", text }));
}

/** Formats an object as YAML lines: identity first, other keys sorted, so that key order never differs. */
function yamlLines(object: JsonObject | undefined): readonly string[] {
  if (object === undefined) return [];
  const { apiVersion, kind, metadata, ...rest } = object;
  const ordered = { apiVersion, kind, metadata: sorted(metadata ?? {}), ...(sorted(rest) as JsonObject) };
  return formatYaml([ordered]).trimEnd().split("\n");
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted); // isArray loses the type of the items
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, sorted(member)] as const],
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the ranges of changed lines with context; overlapping ranges are merged. */
function hunksOf(lines: readonly Line[]): readonly { readonly start: number; readonly end: number }[] {
  const hunks: { start: number; end: number }[] = [];
  for (const [index, { sign }] of lines.entries()) {
    if (sign === " ") continue;
    const [start, end] = [Math.max(0, index - CONTEXT), Math.min(lines.length, index + CONTEXT + 1)];
    const last = hunks.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else hunks.push({ start, end });
  }
  return hunks;
}

function header(lines: readonly Line[], start: number, end: number): StyledText {
  const side = (without: Line["sign"]): string => {
    const count = (from: number, to: number): number =>
      lines.slice(from, to).filter(({ sign }) => sign !== without).length;
    const length = count(start, end);
    const first = count(0, start) + (length === 0 ? 0 : 1);
    return length === 1 ? `${first}` : `${first},${length}`;
  };
  return { text: `@@ -${side("+")} +${side("-")} @@`, style: "faint" };
}

function spanOf({ sign, text }: Line): StyledText {
  const style = sign === "-" ? "bad" : sign === "+" ? "good" : "plain";
  return { text: `${sign}${text}`, style };
}
