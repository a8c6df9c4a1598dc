import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { propertySchema } from "@levelset/core/internal";
import type { StructuralSchema } from "@levelset/core/schema";

/** Whether a schema has a field of type number, at any depth. */
const MEMO = new WeakMap<StructuralSchema, boolean>();

/**
 * Returns a value whose fields of type number are numbers, rounded as a float64 of Go. JSON has integers beyond
 * ±(2^53 − 1) there, too, which are read as bigints.
 */
export function withDeclaredNumbers(value: JsonValue, schema: StructuralSchema): JsonValue {
  if (typeof value === "bigint") return schema.type === "number" ? Number(value) : value;
  if (!hasNumber(schema)) return value;
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return mapIfChanged(value as readonly JsonValue[], (item) => withDeclaredNumbers(item, items));
  }
  if (!isJsonObject(value)) return value;
  const entries: readonly (readonly [string, JsonValue | undefined])[] = Object.entries(value);
  const read = mapIfChanged(entries, (entry) => {
    const [name, child] = entry;
    const declared = propertySchema(schema, name);
    if (child === undefined || declared === undefined) return entry;
    const number = withDeclaredNumbers(child, declared);
    return number === child ? entry : ([name, number] as const);
  });
  return read === entries ? value : (Object.fromEntries(read) as JsonObject); // entries of a JsonObject
}

function hasNumber(schema: StructuralSchema): boolean {
  const known = MEMO.get(schema);
  if (known !== undefined) return known;
  MEMO.set(schema, false); // ends a recursive schema
  const { properties = {}, additionalProperties, items } = schema;
  const children = [...Object.values(properties), additionalProperties, items];
  const has = schema.type === "number" || children.some((child) => child !== undefined && hasNumber(child));
  MEMO.set(schema, has);
  return has;
}

/** Returns the same list if the function returns each item unchanged. */
function mapIfChanged<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = items.map(change);
  return changed.every((item, index) => item === items[index]) ? items : changed;
}
