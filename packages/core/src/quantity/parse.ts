import { DIGITS_MAX, QuantityError, tooManyDigits } from "./quantity-error.ts";
import { INT64_MAX } from "./quantity.ts";
import type { Quantity, QuantityFormat } from "./quantity.ts";

const WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_NUMBER = "unable to parse numeric part of quantity";
const WRONG_SUFFIX = "unable to parse quantity's suffix";

const NANO = -9;
const ONE = 10n ** 9n;

/** The factor `base^exponent` of a suffix, and its format. */
interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

/** The parts of a quantity. `whole` has no leading zeros, except for a single zero digit. */
interface Parts {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
  readonly hasDigit: boolean;
  readonly suffix: string;
}

const SUFFIXES: ReadonlyMap<string, Suffix> = new Map([
  ...["n", "u", "m", "", "k", "M", "G", "T", "P", "E"].map((text, index): [string, Suffix] => [
    text,
    { base: 10, exponent: 3 * index - 9, format: "DecimalSI" },
  ]),
  ...["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].map((text, index): [string, Suffix] => [
    text,
    { base: 2, exponent: 10 * (index + 1), format: "BinarySI" },
  ]),
]);

/**
 * Parses a quantity like `resource.ParseQuantity`, which also accepts `+1`, `.5` and `5.`, and parses `Ki` or `-` as
 * zero. Digits below nano are rounded away from zero, and binary suffixes are capped at ±(2^63 − 1). Throws a
 * `QuantityError` with the message of Kubernetes, also for a number of more than 100,000 digits.
 */
export function parseQuantity(text: string): Quantity {
  const parts = partsOf(text);
  const suffix = suffixOf(parts.suffix);
  return int64Of(parts, suffix) ?? decimalOf(parts, suffix);
}

/** Reports whether `parseQuantity` accepts the text. */
export function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

// Separate sticky expressions: a single expression with two adjacent runs of digits would backtrack.
const SIGN = /[+-]?/y;
const ZEROS = /0*/y;
const DIGITS = /[0-9]*/y;
const LETTERS = /[eEinumkKMGTP]*/y;

function partsOf(text: string): Parts {
  if (text === "") throw new QuantityError(WRONG_FORMAT);
  const signEnd = skip(SIGN, text, 0);
  const zerosEnd = skip(ZEROS, text, signEnd);
  const wholeEnd = skip(DIGITS, text, zerosEnd);
  const dotEnd = text[wholeEnd] === "." ? wholeEnd + 1 : wholeEnd;
  const fractionEnd = dotEnd === wholeEnd ? wholeEnd : skip(DIGITS, text, dotEnd);
  const suffixEnd = skip(DIGITS, text, skip(SIGN, text, skip(LETTERS, text, fractionEnd)));
  if (suffixEnd < text.length) throw new QuantityError(WRONG_FORMAT);
  return {
    negative: text.startsWith("-"),
    whole: text.slice(zerosEnd, wholeEnd) || "0",
    fraction: text.slice(dotEnd, fractionEnd),
    hasDigit: wholeEnd > signEnd || fractionEnd > dotEnd,
    suffix: text.slice(fractionEnd),
  };
}

function skip(sticky: RegExp, text: string, position: number): number {
  sticky.lastIndex = position;
  return sticky.test(text) ? sticky.lastIndex : position;
}

function suffixOf(text: string): Suffix {
  const known = SUFFIXES.get(text);
  if (known !== undefined) return known;
  const digits = /^[eE][+-]?0*([0-9]{0,19})$/.exec(text)?.[1];
  if (digits === undefined || !/[0-9]$/.test(text)) throw new QuantityError(WRONG_SUFFIX);
  const exponent = BigInt(digits) * (text[1] === "-" ? -1n : 1n);
  if (BigInt.asIntN(64, exponent) !== exponent) throw new QuantityError(WRONG_SUFFIX);
  // `ParseQuantity` keeps the lower 32 bits (k8s.io/apimachinery/pkg/api/resource/suffix.go): 1e4294967296 is 1.
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: "DecimalExponent" };
}

/**
 * Returns the quantity if `resource.Quantity` stores it in 64 bits (k8s.io/apimachinery/pkg/api/resource/quantity.go).
 * Its parser uses narrower bounds than necessary.
 */
function int64Of(parts: Parts, suffix: Suffix): Quantity | undefined {
  const { whole, fraction, negative } = parts;
  const sign = negative ? -1n : 1n;
  if (suffix.base === 2) {
    const digitsMax = 14 - (suffix.exponent / 10) * 3;
    if (fraction !== "" || whole.length > digitsMax) return undefined;
    const unscaled = sign * (BigInt(whole) << BigInt(suffix.exponent));
    return { unscaled, exponent: 0, storage: "int64", format: suffix.format };
  }
  const exponent = suffix.exponent - fraction.length;
  if (whole.length + fraction.length > 18 || exponent < NANO) return undefined;
  return { unscaled: sign * BigInt(whole + fraction), exponent, storage: "int64", format: suffix.format };
}

function decimalOf(parts: Parts, suffix: Suffix): Quantity {
  if (!parts.hasDigit) throw new QuantityError(WRONG_NUMBER);
  const nanos = nanosOf(parts.whole + parts.fraction, suffix, parts.fraction.length);
  if (nanos === 0n) return { unscaled: 0n, exponent: 0, storage: "decimal", format: suffix.format };
  const capped = suffix.base === 2 && nanos > INT64_MAX * ONE;
  const magnitude = capped ? INT64_MAX : nanos;
  return {
    unscaled: parts.negative ? -magnitude : magnitude,
    exponent: capped ? 0 : NANO,
    storage: "decimal",
    format: suffix.base === 2 && nanos < ONE ? "DecimalSI" : suffix.format,
  };
}

/** Returns the number in nanos, rounded up. */
function nanosOf(digits: string, suffix: Suffix, places: number): bigint {
  if (digits.length > DIGITS_MAX) throw tooManyDigits();
  const unscaled = BigInt(digits) << BigInt(suffix.base === 2 ? suffix.exponent : 0);
  if (unscaled === 0n) return 0n;
  const shift = (suffix.base === 10 ? suffix.exponent : 0) - places - NANO;
  if (digits.length + shift > DIGITS_MAX) throw tooManyDigits();
  if (shift >= 0) return unscaled * 10n ** BigInt(shift);
  if (-shift > digits.length + 19) return 1n; // less than one; 2^60 has 19 digits
  const divisor = 10n ** BigInt(-shift);
  const nanos = unscaled / divisor;
  return unscaled % divisor === 0n ? nanos : nanos + 1n;
}
