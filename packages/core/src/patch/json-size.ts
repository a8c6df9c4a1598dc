import type { JsonValue } from "../json/index.ts";

/**
 * Returns the approximate number of characters of `value` as JSON. Stops soon after `limit`, so that values with many
 * shared parts are rejected cheaply.
 */
export function jsonSize(value: JsonValue, limit: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return String(value).length;
  let size = 2;
  for (const [key, member] of Object.entries(value)) {
    if (size > limit) return size;
    size += jsonSize(member, limit - size) + 1;
    if (!Array.isArray(value)) size += key.length + 3;
  }
  return size;
}
