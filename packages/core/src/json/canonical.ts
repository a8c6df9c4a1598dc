import { isJsonObject, jsonForm } from "./value.ts";

/**
 * Returns canonical JSON: data equal by `deepEqual` has the same text, other data has another. For hashes and
 * comparisons. Keys are sorted, undefined properties dropped, integers written in full; otherwise like
 * `JSON.stringify`. Throws a `TypeError` for a value without a JSON form.
 */
export function canonicalJson(value: unknown): string {
  const text = write(value);
  if (text === undefined) throw new TypeError(`cannot write a value of type ${typeof value} as JSON`);
  return text;
}

/** Returns the text of `value`, or undefined if JSON omits it. */
function write(value: unknown): string | undefined {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return writeNumber(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const form = jsonForm(value);
  if (Array.isArray(form)) return `[${form.map((item) => write(item) ?? "null").join(",")}]`;
  return isJsonObject(form) ? writeObject(form) : write(form);
}

/** 1e21 and 10n ** 21n are the same number and have the same text. */
function writeNumber(value: number): string {
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return JSON.stringify(value);
  return String(BigInt(value));
}

function writeObject(value: Readonly<Record<string, unknown>>): string {
  const members: string[] = [];
  for (const key of Object.keys(value).toSorted()) {
    const text = write(value[key]);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(",")}}`;
}
