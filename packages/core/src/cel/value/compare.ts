import { numeric } from "./int.ts";
import { CelDuration, CelTimestamp } from "./time.ts";
import type { CelValue } from "./value.ts";

/** Compares two values: negative, 0 or positive; NaN if one is NaN; undefined if they are not comparable. */
export function compare(a: CelValue, b: CelValue): number | undefined {
  if (typeof a === "string") return typeof b === "string" ? compareStrings(a, b) : undefined;
  const left = numeric(a);
  if (left !== undefined) {
    const right = numeric(b);
    return right === undefined ? undefined : compareNumbers(left, right);
  }
  if (typeof a === "boolean") return typeof b === "boolean" ? Number(a) - Number(b) : undefined;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : undefined;
  if (a instanceof CelTimestamp)
    return b instanceof CelTimestamp ? compareNumbers(a.totalNanos, b.totalNanos) : undefined;
  if (a instanceof CelDuration) return b instanceof CelDuration ? compareNumbers(a.nanos, b.nanos) : undefined;
  return undefined;
}

/**
 * An integer beyond 53 bits is compared with a double as the nearest double, as in cel-go; integers are compared
 * exactly.
 */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (typeof a !== typeof b) return compareNumbers(Number(a), Number(b));
  if (a < b) return -1;
  if (a > b) return 1;
  return a !== a || b !== b ? Number.NaN : 0;
}

/** Compares by code points, unlike JavaScript's order by code units. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left !== right) return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdf_ff;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
