/**
 * JSON data. Everything sent over the wire is a `JsonValue`, and is never mutated.
 *
 * Kubernetes has 64-bit integers, but JavaScript numbers are exact to 53 bits only. An integer outside ±(2^53 − 1) is a
 * bigint, so that reading and writing an object never alters it.
 */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Keys are data: look them up with `Object.hasOwn`, because keys such as `constructor` are allowed. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Reports whether `value` is a JSON object, neither null nor an array. Its members are not checked. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject;
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>>;
export function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the JSON form of an object: the result of its `toJSON` (such as a Date from a YAML file), else the object.
 */
export function jsonForm(value: object): unknown {
  if ("toJSON" in value && typeof value.toJSON === "function") return value.toJSON() as unknown; // declared as any
  return value;
}
