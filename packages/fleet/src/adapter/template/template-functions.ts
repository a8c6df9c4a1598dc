import { isLess, isEqual } from "./compare.ts";
import { formatTime } from "./go-time.ts";
import { printDefault, quoteGo, printValue } from "./print.ts";
import { printf } from "./printf.ts";
import { GoTime, isList, isMap, isTrue, typeName } from "./template-value.ts";
import type { TemplateValue } from "./template-value.ts";

/** Dependencies of template functions. */
export interface TemplateWorld {
  /** Current time in milliseconds since 1970. */
  now(): number;
}

/** A template function. Throws a TypeError for invalid arguments. */
export type TemplateFunction = (values: readonly TemplateValue[], world: TemplateWorld) => TemplateValue;

/** Functions that evaluate arguments one by one and stop early. */
export const LAZY_FUNCTIONS: ReadonlySet<string> = new Set(["and", "or"]);

const GO: Readonly<Record<string, TemplateFunction>> = {
  not: (values) => !isTrue(value(values, 0, 1)),
  len: (values) => BigInt(length(value(values, 0, 1))),
  index: ([from, ...keys]) => keys.reduce(item, requireValue(from)),
  slice: slice,
  print: (values) => spaced(values),
  println: (values) => `${values.map(printDefault).join(" ")}\n`,
  printf: ([format, ...values]) => printf(text([requireValue(format)], 0), values),
  html: (values) => escapeHtml(values.map(printValue).join("")),
  urlquery: (values) => encodeURIComponent(values.map(printValue).join("")).replaceAll("%20", "+"),
  eq: ([first, ...others]) => {
    if (others.length === 0) throw new TypeError("missing argument for comparison");
    return others.some((other) => isEqual(requireValue(first), other));
  },
  ne: (values) => !isEqual(value(values, 0, 2), value(values, 1, 2)),
  lt: (values) => isLess(value(values, 0, 2), value(values, 1, 2)),
  le: (values) => isLess(value(values, 0, 2), value(values, 1, 2)) || isEqual(value(values, 0, 2), value(values, 1, 2)),
  gt: (values) => isLess(value(values, 1, 2), value(values, 0, 2)),
  ge: (values) => !isLess(value(values, 0, 2), value(values, 1, 2)),
};

const OURS: Readonly<Record<string, TemplateFunction>> = {
  now: (values, world) => {
    arity(values, 0);
    return new GoTime(world.now());
  },
  date: (values) => formatTime(time(values, 1), text(values, 0, 2)),
  dateFormat: (values) => formatTime(time(values, 1), text(values, 0, 2)),
  lower: (values) => text(values, 0, 1).toLowerCase(),
  upper: (values) => text(values, 0, 1).toUpperCase(),
  title: (values) => title(text(values, 0, 1)),
  trim: (values) => text(values, 0, 1).replace(/^[\s\u{85}]+|[\s\u{85}]+$/gu, ""),
  trimPrefix: (values) => withoutPrefix(text(values, 0, 2), text(values, 1, 2)),
  trimSuffix: (values) => withoutSuffix(text(values, 0, 2), text(values, 1, 2)),
  replace: (values) =>
    text(values, 0, 3)
      .split(text(values, 1, 3))
      .join(text(values, 2, 3)),
  contains: (values) => text(values, 0, 2).includes(text(values, 1, 2)),
  hasPrefix: (values) => text(values, 0, 2).startsWith(text(values, 1, 2)),
  hasSuffix: (values) => text(values, 0, 2).endsWith(text(values, 1, 2)),
  quote: (values) => quoteGo(text(values, 0, 1)),
  default: (values) => {
    const input = value(values, 1, 2);
    return input === null || input === "" ? value(values, 0, 2) : input;
  },
  int: (values) => toInteger(value(values, 0, 1)),
  int64: (values) => toInteger(value(values, 0, 1)),
  float: (values) => float(value(values, 0, 1)),
  float64: (values) => float(value(values, 0, 1)),
  string: (values) => printDefault(value(values, 0, 1)),
};

/** All functions whose arguments are evaluated first. */
export const TEMPLATE_FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map([
  ...Object.entries(GO),
  ...Object.entries(OURS),
]);

function requireValue(input: TemplateValue | undefined): TemplateValue {
  if (input === undefined) throw new TypeError("it needs an argument");
  return input;
}

function arity(values: readonly TemplateValue[], count: number): void {
  if (values.length !== count) throw new TypeError(`it takes ${count} arguments, not ${values.length}`);
}

function value(values: readonly TemplateValue[], index: number, count: number): TemplateValue {
  arity(values, count);
  return requireValue(values[index]);
}

function text(values: readonly TemplateValue[], index: number, count = values.length): string {
  const input = value(values, index, count);
  if (typeof input !== "string") throw new TypeError(`argument ${index + 1} must be a string, not ${typeName(input)}`);
  return input;
}

function time(values: readonly TemplateValue[], index: number): GoTime {
  const input = requireValue(values[index]);
  if (!(input instanceof GoTime)) throw new TypeError(`argument ${index + 1} must be a time, not ${typeName(input)}`);
  return input;
}

/** Strings count in bytes. */
function length(input: TemplateValue): number {
  if (typeof input === "string") return new TextEncoder().encode(input).length;
  if (isList(input)) return input.length;
  if (isMap(input)) return Object.keys(input).length;
  throw new TypeError(`${typeName(input)} has no length`);
}

/** Returns a list item by index, or a map entry by key; a missing entry is nil. */
function item(from: TemplateValue, key: TemplateValue): TemplateValue {
  if (isMap(from)) {
    if (typeof key !== "string") throw new TypeError(`a map has strings as keys, not ${typeName(key)}`);
    return Object.hasOwn(from, key) ? (from[key] ?? null) : null;
  }
  if (!isList(from)) throw new TypeError(`can't index item of type ${typeName(from)}`);
  if (typeof key !== "bigint") throw new TypeError(`cannot index a list with ${typeName(key)}`);
  const found = key < 0n ? undefined : from[Number(key)];
  if (found === undefined) throw new TypeError(`index out of range: ${key}`);
  return found;
}

function slice([from, ...bounds]: readonly TemplateValue[]): TemplateValue {
  const input = requireValue(from);
  const isSliceable = typeof input === "string" || isList(input);
  if (!isSliceable) throw new TypeError(`can't slice item of type ${typeName(input)}`);
  const [start = 0, end = input.length] = bounds.map((bound) => {
    if (typeof bound !== "bigint") throw new TypeError(`cannot slice with ${typeName(bound)}`);
    return Number(bound);
  });
  if (start < 0 || end > input.length || start > end) throw new TypeError(`bounds out of range: [${start}:${end}]`);
  return input.slice(start, end);
}

/** Go's fmt.Sprint: adds a space between two values if neither is a string. */
function spaced(values: readonly TemplateValue[]): string {
  return values
    .map((input, index) => {
      const before = values[index - 1];
      const isApart = index > 0 && typeof input !== "string" && typeof before !== "string";
      return `${isApart ? " " : ""}${printDefault(input)}`;
    })
    .join("");
}

const HTML: Readonly<Record<string, string>> = {
  '"': "&#34;",
  "'": "&#39;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\0": "\u{FFFD}",
};

function escapeHtml(input: string): string {
  return input.replace(/["'&<>\0]/gu, (character) => HTML[character] ?? character);
}

/** Capitalizes every word and lowercases the rest. */
function title(input: string): string {
  return input.replace(/[\p{L}\p{M}\p{N}_]+(?:['’.][\p{L}\p{M}]+)*/gu, (word) => {
    const at = word.search(/\p{L}/u);
    if (at === -1) return word;
    const [first = ""] = word.slice(at);
    return word.slice(0, at) + first.toUpperCase() + word.slice(at + first.length).toLowerCase();
  });
}

function withoutPrefix(input: string, prefix: string): string {
  return input.startsWith(prefix) ? input.slice(prefix.length) : input;
}

function withoutSuffix(input: string, suffix: string): string {
  return suffix !== "" && input.endsWith(suffix) ? input.slice(0, -suffix.length) : input;
}

/** Converts to an integer by truncation; 0 for other values. */
function toInteger(input: TemplateValue): bigint {
  if (typeof input === "bigint") return input;
  if (typeof input === "number") return Number.isFinite(input) ? BigInt.asIntN(64, BigInt(Math.trunc(input))) : 0n;
  return typeof input === "string" && /^[+-]?\d+$/u.test(input) ? within64(BigInt(input.replace("+", ""))) : 0n;
}

function within64(input: bigint): bigint {
  const max = 2n ** 63n - 1n;
  return input > max ? max : input < -max - 1n ? -max - 1n : input;
}

/** Converts to a float; 0 for other values. */
function float(input: TemplateValue): number {
  if (typeof input === "number" || typeof input === "bigint") return Number(input);
  return typeof input === "string" && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/u.test(input) ? Number(input) : 0;
}
