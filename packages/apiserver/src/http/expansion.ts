import { badRequest } from "../registry/index.ts";

/** How many values a document may have in all, beyond one for each of its characters. */
const SPARE = 10_000;

/**
 * Refuses a document whose aliases make it much larger than its text, or endless: a few lines of YAML can stand for more than
 * fits into memory.
 */
export function checkExpansion(value: unknown, textLength: number): void {
  let left = textLength + SPARE;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    left -= 1;
    if (left < 0) throw badRequest("error converting YAML to JSON: yaml: document contains excessive aliasing");
    const next = pending.pop();
    if (typeof next === "object" && next !== null) for (const child of Object.values(next)) pending.push(child);
  }
}
