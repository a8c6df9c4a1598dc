import { badRequestError } from "../../resource/index.ts";

/** Number of values allowed in a document in addition to one per character of its text. */
const SPARE = 10_000;

/**
 * Rejects YAML whose aliases expand to far more than its text, or recursively ("billion laughs"). Throws BadRequest.
 */
export function checkAliasExpansion(value: unknown, textLength: number): void {
  let left = textLength + SPARE;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    left -= 1;
    if (left < 0) throw badRequestError("error converting YAML to JSON: yaml: document contains excessive aliasing");
    const next = pending.pop();
    if (typeof next === "object" && next !== null) for (const child of Object.values(next)) pending.push(child);
  }
}
