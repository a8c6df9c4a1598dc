import { jsonForm } from "./value.ts";

/**
 * Returns a deep copy of JSON data. The copy shares no objects with the original and is mutable, even if the original
 * is frozen. An object with `toJSON`, such as a Date, is copied in its JSON form.
 */
export function cloneJson<T>(value: T): T;
export function cloneJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const form = jsonForm(value);
  if (typeof form !== "object" || form === null) return form;
  if (Array.isArray(form)) return form.map((item: unknown) => cloneJson(item));
  // The spread makes every key, `__proto__` included, an own property, so that assignments do not call setters.
  const out: Record<string, unknown> = { ...form };
  for (const key of Object.keys(out)) {
    const member = out[key];
    if (typeof member === "object" && member !== null) out[key] = cloneJson(member);
  }
  return out;
}
