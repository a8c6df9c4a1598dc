import { fault } from "./fault.ts";
import type { CelFault } from "./fault.ts";
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

/** The one form of an integer that is known to be in range. */
export function intOf(value: bigint): CelInt {
  return value >= -9_007_199_254_740_991n && value <= 9_007_199_254_740_991n ? Number(value) : value;
}

/** An int64, or an error where the integer does not fit. */
export function checkedInt(value: bigint): CelInt | CelFault {
  return value >= INT_MIN && value <= INT_MAX ? intOf(value) : fault("integer overflow");
}

/** A uint64, or an error where the integer does not fit. */
export function checkedUint(value: bigint): CelUint | CelFault {
  return value >= 0n && value <= UINT_MAX ? new CelUint(value) : fault("unsigned integer overflow");
}

/** Arithmetic on ints: exact, an error where the result is no int64. The sums of zeros drop the sign of -0. */
export function addInt(a: CelInt, b: CelInt): CelInt | CelFault {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return checkedInt(BigInt(a) + BigInt(b));
}

/** See `addInt`. */
export function subtractInt(a: CelInt, b: CelInt): CelInt | CelFault {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return checkedInt(BigInt(a) - BigInt(b));
}

/** See `addInt`. */
export function multiplyInt(a: CelInt, b: CelInt): CelInt | CelFault {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return checkedInt(BigInt(a) * BigInt(b));
}

/** Division that cuts off towards zero. */
export function divideInt(a: CelInt, b: CelInt): CelInt | CelFault {
  if (b === 0) return fault("division by zero");
  if (typeof a === "number" && typeof b === "number") return (a - (a % b)) / b + 0;
  return checkedInt(BigInt(a) / BigInt(b));
}

/** The remainder, with the sign of the dividend. */
export function remainderInt(a: CelInt, b: CelInt): CelInt | CelFault {
  if (b === 0) return fault("modulus by zero");
  if (typeof a === "number" && typeof b === "number") return (a % b) + 0;
  return checkedInt(BigInt(a) % BigInt(b));
}

/** An integral double as the int or uint that equals it, as far as a bigint can say; undefined if there is none. */
export function integralDouble(value: number): bigint | undefined {
  return Number.isInteger(value) ? BigInt(value) : undefined;
}

/** A number of any of the three types as something that JavaScript compares exactly; undefined for other values. */
export function numeric(value: CelValue): number | bigint | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof CelDouble || value instanceof CelUint) return value.value;
  return undefined;
}
