import type { JsonValue } from "../json/index.ts";

/**
 * About how many characters of JSON text `value` stands for. Stops counting soon after `limit`, so that a value which
 * shares parts with itself and would be enormous when written costs no more than the limit to refuse.
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
