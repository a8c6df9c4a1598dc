import {
  CEL_BOOL,
  CEL_BYTES,
  CEL_DOUBLE,
  CEL_DURATION,
  CEL_DYN,
  CEL_INT,
  CEL_STRING,
  CEL_TIMESTAMP,
  listType,
  mapType,
  structType,
} from "../cel/index.ts";
import type { CelField, CelType } from "../cel/index.ts";
import type { StructuralSchema } from "./structural.ts";

/** String formats with a CEL type of their own. */
const FORMATS: ReadonlyMap<string, CelType> = new Map([
  ["byte", CEL_BYTES],
  ["date", CEL_TIMESTAMP],
  ["date-time", CEL_TIMESTAMP],
  ["duration", CEL_DURATION],
]);

/** Reserved words of CEL. A field of that name is written `__word__`. */
const RESERVED: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

/** Fields of a whole object that expressions can always use. */
const OBJECT: StructuralSchema = {
  type: "object",
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object", properties: { name: { type: "string" }, generateName: { type: "string" } } },
  },
};

/**
 * Returns the CEL type of a value of a schema, or undefined if its type is unknown and expressions cannot use it.
 * Distinguishes integers and doubles, which JSON does not.
 */
export function celTypeOf(schema: StructuralSchema, isObjectRoot: boolean = isEmbedded(schema)): CelType | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) return CEL_DYN;
  const shape = isObjectRoot ? { ...schema, properties: { ...schema.properties, ...OBJECT.properties } } : schema;
  switch (shape.type) {
    case "boolean":
      return CEL_BOOL;
    case "integer":
      return CEL_INT;
    case "number":
      return CEL_DOUBLE;
    case "string":
      return FORMATS.get(shape.format ?? "") ?? CEL_STRING;
    case "array": {
      const element = shape.items === undefined ? undefined : celTypeOf(shape.items);
      return element === undefined ? undefined : listType(element);
    }
    case "object":
      return objectType(shape);
    default:
      return undefined;
  }
}

function objectType(schema: StructuralSchema): CelType | undefined {
  if (schema.additionalProperties !== undefined) {
    const value = celTypeOf(schema.additionalProperties);
    return value === undefined ? undefined : mapType(CEL_STRING, value);
  }
  const fields = new Map<string, CelField>();
  for (const [key, child] of Object.entries(schema.properties ?? {})) {
    const type = celTypeOf(child);
    const name = celName(key);
    if (type !== undefined && name !== undefined) fields.set(name, { type, key });
  }
  return structType("object", fields);
}

function isEmbedded(schema: StructuralSchema): boolean {
  return schema["x-kubernetes-embedded-resource"] === true;
}

/** Returns the name of a field in an expression, or undefined if it cannot be used there. */
export function celName(key: string): string | undefined {
  if (RESERVED.has(key)) return `__${key}__`;
  const escaped = key
    .replaceAll("__", "__underscores__")
    .replaceAll(".", "__dot__")
    .replaceAll("-", "__dash__")
    .replaceAll("/", "__slash__");
  return /^[A-Za-z_]\w*$/u.test(escaped) ? escaped : undefined;
}
