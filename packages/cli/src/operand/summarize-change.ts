import { deepEqual, SECRET_MASK } from "@levelset/core/internal";
import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";

/** Maximum number of changes listed one by one, and their maximum length. */
const LISTED_MAX = 2;
const TEXT_MAX = 30;

interface Change {
  readonly path: readonly string[];
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** Summarizes the changes between two states of an object: `image 1.8 → 1.9`, `replicas 1 → 3`, `5 fields`. */
export function summarizeChange(before: JsonObject, after: JsonObject): string {
  const changes = changesOf(before, after, []);
  if (changes.length > LISTED_MAX) return `${changes.length} fields`;
  return changes.map(describeChange).join(", ");
}

function changesOf(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: readonly string[],
): readonly Change[] {
  if (deepEqual(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => changesOf(before[name], after[name], [...path, name]));
  }
  const lists = [before, after].map((value) => (Array.isArray(value) ? (value as readonly JsonValue[]) : undefined));
  const [left, right] = lists;
  if (left !== undefined && right !== undefined && left.length === right.length) {
    return left.flatMap((item, index) => changesOf(item, right[index], [...path, `${index}`]));
  }
  return [{ path, before, after }];
}

function describeChange({ path, before, after }: Change): string {
  const name = path.findLast((step) => !/^\d+$/u.test(step)) ?? "it";
  if (before === undefined) return `${name} added`;
  if (after === undefined) return `${name} removed`;
  const [was, is] = [textOf(before), textOf(after)];
  if (was === undefined || is === undefined) return `${name} changed`;
  const [shortWas, shortIs] = name === "image" ? tags(was, is) : [was, is];
  if (Math.max(shortWas.length, shortIs.length) > TEXT_MAX) return `${name} changed`;
  return `${name} ${shortWas} → ${shortIs}`;
}

/** Formats a value, or returns undefined if it is too long or masked. */
function textOf(value: JsonValue): string | undefined {
  if (typeof value === "object" && value !== null) return undefined;
  const text = String(value);
  return text.startsWith(SECRET_MASK) ? undefined : text;
}

/** Strips the common name of two images and returns their tags. */
function tags(before: string, after: string): readonly [string, string] {
  const [was, is] = [before.lastIndexOf(":"), after.lastIndexOf(":")];
  const isSame = was > 0 && before.slice(0, was) === after.slice(0, is);
  return isSame ? [before.slice(was + 1), after.slice(is + 1)] : [before, after];
}
