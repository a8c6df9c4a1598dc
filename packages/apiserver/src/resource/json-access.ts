/** Returns the value if it is an object, otherwise an empty object. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  // The cast is safe: the value is neither null nor an array.
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** Returns the value if it is an array, otherwise an empty array. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
