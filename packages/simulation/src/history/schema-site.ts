import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { propertySchema } from "@levelset/core/internal";
import type { StructuralSchema } from "@levelset/core/schema";

/** A field of a value: present, or allowed by its schema. */
export interface SchemaSite {
  /** `spec.ports[0].name` */
  readonly path: string;
  readonly name: string;
  readonly schema: StructuralSchema;
  readonly value: JsonValue | undefined;
  /** Whether the value may be removed. */
  readonly isOptional: boolean;
  /** Returns the whole value with this field replaced, or without it. */
  readonly replace: (value: JsonValue | undefined) => JsonValue;
}

const DEPTH_MAX = 8;

/** Returns the fields below a value. */
export function schemaSites(schema: StructuralSchema, value: JsonValue, path: string): readonly SchemaSite[] {
  return sitesBelow(schema, value, path, (changed) => changed, 0);
}

function sitesBelow(
  schema: StructuralSchema,
  value: JsonValue,
  path: string,
  replace: (changed: JsonValue) => JsonValue,
  depth: number,
): readonly SchemaSite[] {
  if (depth > DEPTH_MAX) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item: JsonValue, index) => {
      const items: readonly JsonValue[] = value;
      const put = (changed: JsonValue | undefined): JsonValue =>
        replace(changed === undefined ? items.filter((_, at) => at !== index) : items.with(index, changed));
      const site = { path: `${path}[${index}]`, name: String(index), schema: schema.items ?? {}, value: item };
      return [{ ...site, isOptional: true, replace: put }, ...sitesBelow(site.schema, item, site.path, put, depth + 1)];
    });
  }
  if (!isJsonObject(value)) return [];
  const names = new Set([...Object.keys(schema.properties ?? {}), ...Object.keys(value)]);
  return [...names].flatMap((name) => {
    const child = propertySchema(schema, name);
    if (child === undefined) return [];
    const put = (changed: JsonValue | undefined): JsonValue => replace(withMember(value, name, changed));
    const current = value[name];
    const isOptional = current !== undefined && schema.required?.includes(name) !== true;
    const site = { path: `${path}.${name}`, name, schema: child, value: current, isOptional, replace: put };
    return current === undefined ? [site] : [site, ...sitesBelow(child, current, site.path, put, depth + 1)];
  });
}

function withMember(value: JsonObject, name: string, member: JsonValue | undefined): JsonObject {
  const others = Object.entries(value).filter(([key]) => key !== name);
  return Object.fromEntries(member === undefined ? others : [...others, [name, member]]);
}
