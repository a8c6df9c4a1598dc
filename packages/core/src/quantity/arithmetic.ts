import { DIGITS_MAX, tooManyDigits } from "./quantity-error.ts";
import { fitsInt64, signOfQuantity } from "./quantity.ts";
import type { Quantity } from "./quantity.ts";

/** Compares quantities by exact value, independent of format. */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const sign = signOfQuantity(a);
  if (sign !== signOfQuantity(b)) return sign < signOfQuantity(b) ? -1 : 1;
  if (sign === 0) return 0;
  const places = placesOf(a) - placesOf(b);
  // Only numbers of the same magnitude are expanded, which takes few digits.
  if (places !== 0) return places > 0 === sign > 0 ? 1 : -1;
  const exponent = Math.min(a.exponent, b.exponent);
  const left = scaled(a, exponent);
  const right = scaled(b, exponent);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/**
 * Returns the exact sum, in the format of `a`, or that of `b` if `a` is zero. Throws a `QuantityError` for a sum of
 * more than 100,000 digits.
 */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const format = a.unscaled === 0n ? b.format : a.format;
  if (a.storage === "int64" && b.storage === "int64") {
    if (b.unscaled === 0n) return { ...a, format };
    if (a.unscaled === 0n) return { ...b, format };
  }
  const exponent = sumExponent(a, b);
  const left = bounded(a, exponent);
  const right = bounded(b, exponent);
  const unscaled = left + right;
  const narrow = a.storage === "int64" && b.storage === "int64" && [left, right, unscaled].every(fitsInt64);
  return { unscaled, exponent, storage: narrow ? "int64" : "decimal", format };
}

/** Returns the exact difference, with the rules of `addQuantities`. */
export function subQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { ...b, unscaled: -b.unscaled });
}

/**
 * Returns the integer value, or undefined if Kubernetes does not treat the quantity as an integer: it must be stored as
 * `int64`, have no fraction (`1000m` has one) and fit 64 bits (`AsInt64`,
 * k8s.io/apimachinery/pkg/api/resource/quantity.go).
 */
export function quantityToInteger(quantity: Quantity): bigint | undefined {
  const { unscaled, exponent } = quantity;
  if (quantity.storage !== "int64" || exponent < 0) return undefined;
  if (unscaled === 0n) return 0n;
  if (exponent > 18) return undefined;
  const value = unscaled * 10n ** BigInt(exponent);
  return fitsInt64(value) ? value : undefined;
}

/** Reports whether `quantityToInteger` returns a value. */
export function isIntegerQuantity(quantity: Quantity): boolean {
  return quantityToInteger(quantity) !== undefined;
}

/**
 * Returns the number as a double, off by a few units in the last place like `AsApproximateFloat64`
 * (k8s.io/apimachinery/pkg/api/resource/quantity.go), or infinite if it is too large.
 */
export function quantityToDouble(quantity: Quantity): number {
  const base = Number(quantity.unscaled);
  return base === 0 || quantity.exponent === 0 ? base : base * powerOfTen(quantity.exponent);
}

/** Returns a power of ten like Go's `math.Pow10`: the product of two correctly rounded powers. */
function powerOfTen(exponent: number): number {
  if (exponent < -323) return 0;
  if (exponent > 308) return Number.POSITIVE_INFINITY;
  const small = Math.abs(exponent) % 32;
  const large = Math.abs(exponent) - small;
  return exponent < 0 ? Number(`1e-${large}`) / Number(`1e${small}`) : Number(`1e${large}`) * Number(`1e${small}`);
}

/** Returns the number of digits before the decimal point, or minus the number of zeros after it. */
function placesOf(quantity: Quantity): number {
  const digits = String(quantity.unscaled).length - (quantity.unscaled < 0n ? 1 : 0);
  return digits + quantity.exponent;
}

function sumExponent(a: Quantity, b: Quantity): number {
  if (a.unscaled === 0n) return b.exponent;
  if (b.unscaled === 0n) return a.exponent;
  return Math.min(a.exponent, b.exponent);
}

/**
 * Returns the unscaled number for an exponent not above that of the quantity. Throws a `QuantityError` if it is too
 * long.
 */
function bounded(quantity: Quantity, exponent: number): bigint {
  if (quantity.unscaled === 0n || quantity.exponent === exponent) return quantity.unscaled;
  if (placesOf(quantity) - exponent > DIGITS_MAX) throw tooManyDigits();
  return scaled(quantity, exponent);
}

function scaled(quantity: Quantity, exponent: number): bigint {
  return quantity.unscaled * 10n ** BigInt(quantity.exponent - exponent);
}
