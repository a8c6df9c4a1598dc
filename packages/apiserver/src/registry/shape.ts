/** An object's field as an object; empty where it is something else. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  // Not null and not a list: an object whose keys are data.
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** A field as a list; empty where it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
