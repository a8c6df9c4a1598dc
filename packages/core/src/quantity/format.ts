import { compareQuantities } from "./arithmetic.ts";
import { quantityFromInteger } from "./quantity.ts";
import type { Quantity } from "./quantity.ts";

const DECIMAL_SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const DECIMAL_EXPONENT_MAX = 18;

const BINARY_MIN = quantityFromInteger(1024n);
const BINARY_MAX_NEGATIVE = quantityFromInteger(-1024n);

/**
 * Formats the canonical form: an integer and the largest suffix of the format that needs no fraction. A binary quantity
 * below 1Ki, or with a fraction, is written in decimal. Differs from Kubernetes in two ways: the original text is never
 * returned, and the largest suffix is used for numbers beyond it, where Kubernetes prints 1000E as 1.
 */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.unscaled === 0n) return "0";
  const integer = quantity.format === "BinarySI" ? binaryInteger(quantity) : undefined;
  return integer === undefined ? formatDecimal(quantity) : formatBinary(integer);
}

/** Returns the integer for a binary suffix; undefined if the number is small or has a fraction. */
function binaryInteger(quantity: Quantity): bigint | undefined {
  const { unscaled, exponent } = quantity;
  if (compareQuantities(quantity, BINARY_MAX_NEGATIVE) > 0 && compareQuantities(quantity, BINARY_MIN) < 0)
    return undefined;
  if (exponent >= 0) return unscaled * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return unscaled % divisor === 0n ? unscaled / divisor : undefined;
}

function formatBinary(integer: bigint): string {
  let mantissa = integer;
  let index = 0;
  while (index + 1 < BINARY_SUFFIXES.length && mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    index += 1;
  }
  return `${mantissa}${BINARY_SUFFIXES[index] ?? ""}`;
}

function formatDecimal(quantity: Quantity): string {
  const text = String(quantity.unscaled);
  const zeros = trailingZeros(text);
  const stripped = quantity.exponent + zeros;
  const multiple = Math.floor(stripped / 3) * 3;
  const exponent = quantity.format === "DecimalExponent" ? multiple : Math.min(multiple, DECIMAL_EXPONENT_MAX);
  const mantissa = text.slice(0, text.length - zeros) + "0".repeat(stripped - exponent);
  return mantissa + (quantity.format === "DecimalExponent" ? exponentSuffix(exponent) : decimalSuffix(exponent));
}

function exponentSuffix(exponent: number): string {
  return exponent === 0 ? "" : `e${exponent}`;
}

function decimalSuffix(exponent: number): string {
  return DECIMAL_SUFFIXES[exponent / 3 + 3] ?? "";
}

function trailingZeros(text: string): number {
  let zeros = 0;
  while (text[text.length - 1 - zeros] === "0") zeros += 1;
  return zeros;
}
