import { isJsonObject, jsonForm } from "./value.ts";

/**
 * Reports whether two JSON values are equal. Key order is ignored, an undefined property equals an absent one, and 5
 * equals 5n: numbers are compared by value.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const left = typeof a === "object" && a !== null ? jsonForm(a) : a;
  const right = typeof b === "object" && b !== null ? jsonForm(b) : b;
  if (Array.isArray(left)) return Array.isArray(right) && equalArrays(left, right);
  if (isJsonObject(left)) return isJsonObject(right) && equalObjects(left, right);
  return equalScalars(left, right);
}

function equalScalars(a: unknown, b: unknown): boolean {
  if (typeof a === "bigint" && typeof b === "number") return equalsInteger(b, a);
  if (typeof a === "number" && typeof b === "bigint") return equalsInteger(a, b);
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}

function equalsInteger(double: number, integer: bigint): boolean {
  return Number.isInteger(double) && BigInt(double) === integer;
}

function equalArrays(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
}

function equalObjects(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  let surplus = 0;
  for (const key of Object.keys(a)) {
    const value = a[key];
    if (value === undefined) continue;
    if (!Object.hasOwn(b, key) || !deepEqual(value, b[key])) return false;
    surplus += 1;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) surplus -= 1;
  return surplus === 0;
}
