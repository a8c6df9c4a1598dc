import { isBefore, isEqual } from "./compare.ts";
import { formatTime } from "./go-time.ts";
import { plain, quoted, shown } from "./print.ts";
import { printf } from "./printf.ts";
import { GoTime, isList, isMap, isTrue, typeName } from "./value.ts";
import type { TemplateValue } from "./value.ts";

/** What functions may know of the world. */
export interface TemplateWorld {
  /** The time, in milliseconds since 1970. */
  now(): number;
}

/** A function of templates. Throws a TypeError about arguments that do not fit. */
export type TemplateFunction = (values: readonly TemplateValue[], world: TemplateWorld) => TemplateValue;

/** The functions that evaluate their arguments one after the other, and only as far as they need. */
export const LAZY_FUNCTIONS: ReadonlySet<string> = new Set(["and", "or"]);

const GO: Readonly<Record<string, TemplateFunction>> = {
  not: (values) => !isTrue(value(values, 0, 1)),
  len: (values) => BigInt(length(value(values, 0, 1))),
  index: ([from, ...keys]) => keys.reduce(item, needed(from)),
  slice: slice,
  print: (values) => spaced(values),
  println: (values) => `${values.map(plain).join(" ")}\n`,
  printf: ([format, ...values]) => printf(text([needed(format)], 0), values),
  html: (values) => escapeHtml(values.map(shown).join("")),
  urlquery: (values) => encodeURIComponent(values.map(shown).join("")).replaceAll("%20", "+"),
  eq: ([first, ...others]) => {
    if (others.length === 0) throw new TypeError("missing argument for comparison");
    return others.some((other) => isEqual(needed(first), other));
  },
  ne: (values) => !isEqual(value(values, 0, 2), value(values, 1, 2)),
  lt: (values) => isBefore(value(values, 0, 2), value(values, 1, 2)),
  le: (values) =>
    isBefore(value(values, 0, 2), value(values, 1, 2)) || isEqual(value(values, 0, 2), value(values, 1, 2)),
  gt: (values) => isBefore(value(values, 1, 2), value(values, 0, 2)),
  ge: (values) => !isBefore(value(values, 0, 2), value(values, 1, 2)),
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
  quote: (values) => quoted(text(values, 0, 1)),
  default: (values) => {
    const given = value(values, 1, 2);
    return given === null || given === "" ? value(values, 0, 2) : given;
  },
  int: (values) => whole(value(values, 0, 1)),
  int64: (values) => whole(value(values, 0, 1)),
  float: (values) => float(value(values, 0, 1)),
  float64: (values) => float(value(values, 0, 1)),
  string: (values) => plain(value(values, 0, 1)),
};

/** All functions that have their arguments evaluated before. */
export const TEMPLATE_FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map([
  ...Object.entries(GO),
  ...Object.entries(OURS),
]);

function needed(given: TemplateValue | undefined): TemplateValue {
  if (given === undefined) throw new TypeError("it needs an argument");
  return given;
}

function arity(values: readonly TemplateValue[], count: number): void {
  if (values.length !== count) throw new TypeError(`it takes ${count} arguments, not ${values.length}`);
}

function value(values: readonly TemplateValue[], index: number, count: number): TemplateValue {
  arity(values, count);
  return needed(values[index]);
}

function text(values: readonly TemplateValue[], index: number, count = values.length): string {
  const given = value(values, index, count);
  if (typeof given !== "string") throw new TypeError(`argument ${index + 1} must be a string, not ${typeName(given)}`);
  return given;
}

function time(values: readonly TemplateValue[], index: number): GoTime {
  const given = needed(values[index]);
  if (!(given instanceof GoTime)) throw new TypeError(`argument ${index + 1} must be a time, not ${typeName(given)}`);
  return given;
}

/** Texts count in bytes. */
function length(given: TemplateValue): number {
  if (typeof given === "string") return new TextEncoder().encode(given).length;
  if (isList(given)) return given.length;
  if (isMap(given)) return Object.keys(given).length;
  throw new TypeError(`${typeName(given)} has no length`);
}

/** An item by its index, or an entry by its key; an entry that is not there is nil. */
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
  const given = needed(from);
  const isSliceable = typeof given === "string" || isList(given);
  if (!isSliceable) throw new TypeError(`can't slice item of type ${typeName(given)}`);
  const [start = 0, end = given.length] = bounds.map((bound) => {
    if (typeof bound !== "bigint") throw new TypeError(`cannot slice with ${typeName(bound)}`);
    return Number(bound);
  });
  if (start < 0 || end > given.length || start > end) throw new TypeError(`bounds out of range: [${start}:${end}]`);
  return given.slice(start, end);
}

/** Go's Sprint: a space between two values of which neither is a text. */
function spaced(values: readonly TemplateValue[]): string {
  return values
    .map((given, index) => {
      const before = values[index - 1];
      const isApart = index > 0 && typeof given !== "string" && typeof before !== "string";
      return `${isApart ? " " : ""}${plain(given)}`;
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

function escapeHtml(given: string): string {
  return given.replace(/["'&<>\0]/gu, (character) => HTML[character] ?? character);
}

/** Every word with a capital and the rest small. */
function title(given: string): string {
  return given.replace(/[\p{L}\p{M}\p{N}_]+(?:['’.][\p{L}\p{M}]+)*/gu, (word) => {
    const at = word.search(/\p{L}/u);
    if (at === -1) return word;
    const [first = ""] = word.slice(at);
    return word.slice(0, at) + first.toUpperCase() + word.slice(at + first.length).toLowerCase();
  });
}

function withoutPrefix(given: string, prefix: string): string {
  return given.startsWith(prefix) ? given.slice(prefix.length) : given;
}

function withoutSuffix(given: string, suffix: string): string {
  return suffix !== "" && given.endsWith(suffix) ? given.slice(0, -suffix.length) : given;
}

/** A whole number, cut off; 0 from what is none. */
function whole(given: TemplateValue): bigint {
  if (typeof given === "bigint") return given;
  if (typeof given === "number") return Number.isFinite(given) ? BigInt.asIntN(64, BigInt(Math.trunc(given))) : 0n;
  return typeof given === "string" && /^[+-]?\d+$/u.test(given) ? within64(BigInt(given.replace("+", ""))) : 0n;
}

function within64(given: bigint): bigint {
  const max = 2n ** 63n - 1n;
  return given > max ? max : given < -max - 1n ? -max - 1n : given;
}

/** A float; 0 from what is none. */
function float(given: TemplateValue): number {
  if (typeof given === "number" || typeof given === "bigint") return Number(given);
  return typeof given === "string" && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/u.test(given) ? Number(given) : 0;
}
