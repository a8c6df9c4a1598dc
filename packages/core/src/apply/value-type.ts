import { PodTemplate } from "../kubernetes/index.ts";
import type { JsonValue } from "../json/index.ts";
import { s } from "../schema/index.ts";
import type { StructuralSchema } from "../schema/index.ts";

/** Type of a scalar. */
export type ScalarType = "numeric" | "string" | "boolean" | "untyped";

/** A list: atomic, a set, or keyed. */
export interface ListType {
  readonly merge: "atomic" | "set" | "keyed";
  /** The key fields; empty unless keyed. */
  readonly keys: readonly string[];
  readonly item: ValueType;
}

/** An object: atomic or granular. */
export interface MapType {
  readonly isAtomic: boolean;
  /** Whether all fields are undeclared, so that types are deduced from values. */
  readonly preservesUnknownFields: boolean;
  /** Returns the type of a declared field. */
  declared(name: string): ValueType | undefined;
  /** The type of all other fields; undefined if they are not allowed. */
  readonly elementType: ValueType | undefined;
  /** Returns the default of a declared field. */
  defaultOf(name: string): JsonValue | undefined;
}

/** How a value is merged and owned. A value of any type has all three. */
export interface ValueType {
  readonly scalar?: ScalarType | undefined;
  readonly list?: ListType | undefined;
  readonly map?: MapType | undefined;
  /** Whether the scalar is a quantity, which has several notations for one value. */
  readonly isQuantity?: boolean;
}

/** Any value, atomic. */
const WHOLE: ValueType = {
  scalar: "untyped",
  get list(): ListType {
    return WHOLE_LIST;
  },
  get map(): MapType {
    return WHOLE_MAP;
  },
};

const WHOLE_LIST: ListType = { merge: "atomic", keys: [], item: WHOLE };
const NOTHING = (): undefined => undefined;
const WHOLE_MAP: MapType = {
  isAtomic: true,
  preservesUnknownFields: false,
  declared: NOTHING,
  elementType: WHOLE,
  defaultOf: NOTHING,
};

/** Any value: objects granular, lists atomic. */
const DEDUCED: ValueType = {
  scalar: "untyped",
  list: WHOLE_LIST,
  get map(): MapType {
    return DEDUCED_MAP;
  },
};

const DEDUCED_MAP: MapType = {
  isAtomic: false,
  preservesUnknownFields: true,
  declared: NOTHING,
  elementType: DEDUCED,
  defaultOf: NOTHING,
};

/** Types by schema, for pruned and for preserved unknown fields. */
const dropping = new WeakMap<StructuralSchema, ValueType>();
const keeping = new WeakMap<StructuralSchema, ValueType>();

/** Returns the type of a whole object from the schema without apiVersion, kind and metadata. */
export function objectType(schema: StructuralSchema): ValueType {
  return typeOf(schema, false, () => ({ ...typeFields(schema), ...TYPE_AND_METADATA }));
}

const TYPE_AND_METADATA: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  // The metadata of a pod template is that of every object.
  metadata: PodTemplate.schema.properties?.["template"]?.properties?.["metadata"] ?? {},
};

type Properties = Readonly<Record<string, StructuralSchema>>;

function typeFields(schema: StructuralSchema): Properties {
  const properties = schema.properties ?? {};
  return schema["x-kubernetes-embedded-resource"] === true ? { ...properties, ...TYPE_AND_METADATA } : properties;
}

/** `isKept`: an enclosing schema preserves unknown fields, which applies here too. */
function typeOf(
  schema: StructuralSchema,
  isKept: boolean,
  fieldsOf: () => Properties = () => typeFields(schema),
): ValueType {
  const keeps = isKept || schema["x-kubernetes-preserve-unknown-fields"] === true;
  const cache = keeps ? keeping : dropping;
  const known = cache.get(schema);
  if (known !== undefined) return known;
  const type = newType(schema, keeps, fieldsOf);
  cache.set(schema, type);
  return type;
}

function newType(schema: StructuralSchema, keeps: boolean, fieldsOf: () => Properties): ValueType {
  switch (schema.type) {
    case "integer":
    case "number":
      return { scalar: "numeric" };
    case "boolean":
      return { scalar: "boolean" };
    case "string":
      return { scalar: schema.format === undefined || schema.format === "byte" ? "string" : "untyped" };
    case "array":
      return { list: listType(schema, keeps) };
    case "object":
      return { map: mapType(schema, keeps, fieldsOf()) };
    default:
      return {
        scalar: "untyped",
        list: listType(schema, keeps),
        map: mapType(schema, keeps, fieldsOf()),
        isQuantity: schema["x-kubernetes-int-or-string"] === true && schema.pattern === QUANTITY,
      };
  }
}

const QUANTITY = s.quantity().structural.pattern;

function listType(schema: StructuralSchema, keeps: boolean): ListType {
  const { items } = schema;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const merge = { atomic: "atomic", set: "set", map: "keyed" } as const;
  let item: ValueType | undefined;
  return {
    merge: merge[schema["x-kubernetes-list-type"] ?? "atomic"],
    keys: schema["x-kubernetes-list-type"] === "map" ? keys : [],
    get item() {
      item ??= items === undefined ? WHOLE : typeOf(items, keeps);
      return item;
    },
  };
}

function mapType(schema: StructuralSchema, keeps: boolean, fields: Properties): MapType {
  const { additionalProperties } = schema;
  const isBare = Object.keys(fields).length === 0;
  const others = (): ValueType | undefined => {
    if (additionalProperties !== undefined) return typeOf(additionalProperties, keeps);
    return keeps || isBare ? DEDUCED : undefined;
  };
  const fieldOf = (name: string): StructuralSchema | undefined =>
    Object.hasOwn(fields, name) ? fields[name] : undefined;
  /** Types of declared fields, created on first use because schemas may be recursive. */
  const types = new Map<string, ValueType>();
  let elementType: ValueType | undefined;
  return {
    isAtomic: schema["x-kubernetes-map-type"] === "atomic",
    get preservesUnknownFields() {
      return isBare && others()?.scalar === "untyped";
    },
    declared: (name) => {
      const known = types.get(name);
      const field = known === undefined ? fieldOf(name) : undefined;
      if (field === undefined) return known;
      // Unknown fields of metadata do not depend on the enclosing schema.
      const type = typeOf(field, keeps && field !== TYPE_AND_METADATA["metadata"]);
      types.set(name, type);
      return type;
    },
    get elementType() {
      elementType ??= others();
      return elementType;
    },
    defaultOf: (name) => fieldOf(name)?.default,
  };
}

/** Returns the type of a field, declared or not; undefined if it is not allowed. */
export function fieldType(map: MapType, name: string): ValueType | undefined {
  return map.declared(name) ?? map.elementType;
}

/** The shape of a value; `open` if it cannot be determined. */
export type ValueShape = "scalar" | "list" | "map" | "open";

/** Returns the shape of a value among those its type allows; `open` for null, an absent value and a mismatch. */
export function deduceShape(type: ValueType, value: JsonValue | undefined): ValueShape {
  if (value === undefined || value === null) return "open";
  if (Array.isArray(value)) return type.list === undefined ? "open" : "list";
  if (typeof value === "object") return type.map === undefined ? "open" : "map";
  return type.scalar === undefined ? "open" : "scalar";
}

/** Handlers per shape. */
export interface ShapeHandlers<T> {
  readonly map: (type: MapType) => T;
  readonly scalar: (type: ScalarType) => T;
  readonly list: (type: ListType) => T;
}

/** Calls the handler of a shape. `open` uses the first shape that the type allows. */
export function matchShape<T>(type: ValueType, form: ValueShape, cases: ShapeHandlers<T>): T {
  const { map, scalar, list } = type;
  if (map !== undefined && (form === "map" || form === "open")) return cases.map(map);
  if (scalar !== undefined && (form === "scalar" || form === "open")) return cases.scalar(scalar);
  if (list !== undefined) return cases.list(list);
  throw new TypeError("a type must allow at least one shape");
}
