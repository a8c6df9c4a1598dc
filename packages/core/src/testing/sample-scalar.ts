import type { JsonValue } from "../json/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import { randomInt, randomString } from "../time/index.ts";
import type { Random } from "../time/index.ts";
import { formatExamples } from "./format-examples.ts";
import { samplePattern } from "./sample-pattern.ts";
import { chance, pick } from "./pick.ts";

const INT32: readonly [bigint, bigint] = [-(2n ** 31n), 2n ** 31n - 1n];
const INT64: readonly [bigint, bigint] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Returns an integer within the bounds, often at or near one of them; undefined if there is none. */
export function sampleInteger(schema: StructuralSchema, random: Random): number | bigint | undefined {
  const [formatLow, formatHigh] = schema.format === "int32" ? INT32 : INT64;
  const low = larger(formatLow, lowest(schema));
  const high = smaller(formatHigh, highest(schema));
  if (low > high) return undefined;
  const clipped = (value: bigint): bigint => smaller(high, larger(low, value));
  const chosen = pick(random, [
    () => low,
    () => high,
    () => clipped(0n),
    () => clipped(BigInt(randomInt(random, -3, 10))),
    () => randomBigint(random, clipped(low), clipped(low + 100n)),
    () => randomBigint(random, low, high),
  ]);
  return jsonInteger(multiple(chosen?.() ?? low, schema.multipleOf, low));
}

function lowest({ minimum, exclusiveMinimum }: StructuralSchema): bigint {
  if (minimum === undefined) return INT64[0];
  const low = BigInt(Math.ceil(minimum));
  return exclusiveMinimum === true && Number(low) === minimum ? low + 1n : low;
}

function highest({ maximum, exclusiveMaximum }: StructuralSchema): bigint {
  if (maximum === undefined) return INT64[1];
  const high = BigInt(Math.floor(maximum));
  return exclusiveMaximum === true && Number(high) === maximum ? high - 1n : high;
}

/** Returns the multiple at or below the value, or the next one if that is too low. */
function multiple(value: bigint, of: number | undefined, low: bigint): bigint {
  if (of === undefined || !Number.isInteger(of) || of === 0) return value;
  const step = BigInt(Math.abs(of));
  const below = value - (((value % step) + step) % step);
  return below < low ? below + step : below;
}

/** Returns a number within the bounds; undefined if there is none. */
export function sampleNumber(schema: StructuralSchema, random: Random): number | undefined {
  const low = schema.minimum ?? Math.min(-1000, (schema.maximum ?? 0) - 1000);
  const high = schema.maximum ?? Math.max(1000, low + 1000);
  if (low > high) return undefined;
  const chosen = pick(random, [
    () => low,
    () => high,
    () => Math.min(high, Math.max(low, Math.round(low + random.next() * (high - low)))),
    () => Math.min(high, Math.max(low, Math.round((low + random.next() * (high - low)) * 1000) / 1000)),
    () => low + random.next() * (high - low),
    () => Math.min(high, Math.max(low, 0.5)),
  ]);
  const value = chosen?.() ?? low;
  const whole = schema.multipleOf === undefined ? value : Math.round(value / schema.multipleOf) * schema.multipleOf;
  return whole === 0 ? 0 : whole; // avoids −0, which JSON writes as 0
}

const PLAIN = "abcdefghijklmnopqrstuvwxyz0123456789";
const ODD = `${PLAIN}ABC .-_/\\"'\n\t{}<>&%é日`;

/** Returns a string that most likely fits the pattern, the format or the length. Each attempt varies the strategy. */
export function sampleString(schema: StructuralSchema, random: Random, attempt: number): string {
  const { pattern, format, minLength = 0, maxLength } = schema;
  const examples = format === undefined ? undefined : formatExamples.get(format);
  const usesPattern = pattern !== undefined && (examples === undefined || attempt % 2 === 0);
  if (usesPattern) {
    const extraMax = pick(random, [0, 1, 3, 8, minLength]) ?? 0;
    const text = samplePattern(pattern, random, { extraMax });
    if (text !== undefined) return text;
  }
  const example = examples === undefined ? undefined : pick(random, examples);
  if (example !== undefined) return example;
  const length = randomInt(
    random,
    minLength,
    Math.max(minLength, Math.min(maxLength ?? minLength + 10, minLength + 10)),
  );
  return randomString(random, length, chance(random, 0.2) ? ODD : PLAIN);
}

/** Returns any JSON value except null, at most `depthMax` deep. */
export function sampleAny(random: Random, depthMax: number): JsonValue {
  const scalar = (): JsonValue =>
    pick<JsonValue>(random, [true, false, 0, -1, 1.5, "", "text", 2 ** 31, 9007199254740993n]) ?? "";
  const inner = (): JsonValue => (chance(random, 0.1) ? null : sampleAny(random, depthMax - 1));
  if (depthMax <= 0 || chance(random, 0.5)) return scalar();
  const length = randomInt(random, 0, 3);
  if (chance(random, 0.4)) return Array.from({ length }, inner);
  return Object.fromEntries(Array.from({ length }, () => [sampleKey(random), inner()]));
}

/** Returns a map key: mostly a plain word, sometimes a name such as `__proto__`. */
export function sampleKey(random: Random): string {
  if (chance(random, 0.1)) return pick(random, ["__proto__", "constructor", "a.b/c", "X Y", "é", "0"]) ?? "a";
  return randomString(random, randomInt(random, 1, 8), PLAIN);
}

function randomBigint(random: Random, low: bigint, high: bigint): bigint {
  const draw = (): bigint => BigInt(Math.floor(random.next() * 2 ** 32));
  return low + (((draw() << 32n) | draw()) % (high - low + 1n));
}

function jsonInteger(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
