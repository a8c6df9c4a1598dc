import { celError } from "./cel-error.ts";
import type { CelError } from "./cel-error.ts";
import { CelDouble, CelUint } from "./number.ts";
import type { CelInt, CelValue } from "./value.ts";

/** The bounds of int64 and uint64. */
export const INT_MAX: bigint = 2n ** 63n - 1n;
export const INT_MIN: bigint = -(2n ** 63n);
export const UINT_MAX: bigint = 2n ** 64n - 1n;

/** Whether a value is an int. */
export function isInt(value: unknown): value is CelInt {
  return typeof value === "number" || typeof value === "bigint";
}

/** Returns the canonical form of an integer that is in range. */
export function intOf(value: bigint): CelInt {
  return value >= -9_007_199_254_740_991n && value <= 9_007_199_254_740_991n ? Number(value) : value;
}

/** Returns an int64, or an error if the integer is out of range. */
export function checkedInt(value: bigint): CelInt | CelError {
  return value >= INT_MIN && value <= INT_MAX ? intOf(value) : celError("integer overflow");
}

/** Returns a uint64, or an error if the integer is out of range. */
export function checkedUint(value: bigint): CelUint | CelError {
  return value >= 0n && value <= UINT_MAX ? new CelUint(value) : celError("unsigned integer overflow");
}

/** Adds ints exactly; an error if the result is not an int64. Sums of zeros drop the sign of -0. */
export function addInt(a: CelInt, b: CelInt): CelInt | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return checkedInt(BigInt(a) + BigInt(b));
}

/** See `addInt`. */
export function subtractInt(a: CelInt, b: CelInt): CelInt | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return checkedInt(BigInt(a) - BigInt(b));
}

/** See `addInt`. */
export function multiplyInt(a: CelInt, b: CelInt): CelInt | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return checkedInt(BigInt(a) * BigInt(b));
}

/** Divides, truncating towards zero. */
export function divideInt(a: CelInt, b: CelInt): CelInt | CelError {
  if (b === 0) return celError("division by zero");
  if (typeof a === "number" && typeof b === "number") return (a - (a % b)) / b + 0;
  return checkedInt(BigInt(a) / BigInt(b));
}

/** Returns the remainder, with the sign of the dividend. */
export function remainderInt(a: CelInt, b: CelInt): CelInt | CelError {
  if (b === 0) return celError("modulus by zero");
  if (typeof a === "number" && typeof b === "number") return (a % b) + 0;
  return checkedInt(BigInt(a) % BigInt(b));
}

/** Returns the integer that equals a double; undefined if the double has a fraction or is not finite. */
export function integralDouble(value: number): bigint | undefined {
  return Number.isInteger(value) ? BigInt(value) : undefined;
}

/**
 * Returns an int, uint or double as a number or bigint that JavaScript compares exactly; undefined for other values.
 */
export function numeric(value: CelValue): number | bigint | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof CelDouble || value instanceof CelUint) return value.value;
  return undefined;
}
