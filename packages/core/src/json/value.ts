/**
 * JSON as data. Everything that crosses the wire is a `JsonValue`, and none of it is ever changed in place.
 *
 * Kubernetes has 64-bit integers, JavaScript's numbers hold 53 bits: an integer outside ±(2^53 − 1) is a bigint here,
 * so that reading and writing an object never alters it.
 */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Keys are data: look them up with `Object.hasOwn`, for `constructor` is a key like any other. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether `value` is a JSON object, so neither null nor an array. Its members are not looked at. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject;
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>>;
export function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What JSON carries of an object: the result of its `toJSON` (a Date from a YAML file has one), else the object. */
export function jsonForm(value: object): unknown {
  if ("toJSON" in value && typeof value.toJSON === "function") return value.toJSON() as unknown; // any by declaration
  return value;
}
