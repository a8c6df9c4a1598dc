import type { JsonObject, JsonValue } from "@levelset/core";
import type { ApiTypes } from "./api-types.ts";

/** Empty values of scalars, and of types whose Go code writes another JSON form than an object. */
const EMPTY_VALUES: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["string", ""],
  ["bytes", null],
  ["bool", false],
  ["int32", 0],
  ["int64", 0],
  ["double", 0],
  ["meta.v1.Time", null],
  ["meta.v1.MicroTime", null],
  ["resource.Quantity", "0"],
  ["intstr.IntOrString", 0],
  ["runtime.RawExtension", null],
]);

/** Returns the JSON that Go writes for an empty object of a type, without `apiVersion` and `kind`. */
export function zeroValueOf(types: ApiTypes, type: string): JsonObject {
  const written = [...types.properties(type).values()].filter(({ marks }) => marks.has("zero"));
  return Object.fromEntries(
    written.map(({ name, type: of, marks }) => {
      if (marks.get("zero") === "null") return [name, null];
      const empty = EMPTY_VALUES.get(of);
      return [name, empty === undefined ? zeroValueOf(types, of) : empty];
    }),
  );
}
