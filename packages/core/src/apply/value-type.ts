import { PodTemplate } from "../builtin/index.ts";
import type { JsonValue } from "../json/index.ts";
import { s } from "../schema/index.ts";
import type { StructuralSchema } from "../schema/index.ts";

/** What a single value may be. */
export type ScalarType = "numeric" | "string" | "boolean" | "untyped";

/** A list: owned as a whole, as a set of scalars, or item by item. */
export interface ListType {
  readonly merge: "atomic" | "set" | "keyed";
  /** The fields that tell items apart; empty unless keyed. */
  readonly keys: readonly string[];
  readonly item: ValueType;
}

/** An object: owned as a whole or field by field. */
export interface MapType {
  readonly isAtomic: boolean;
  /** Whether nothing is declared about any field, so that values tell what they are. */
  readonly isOpen: boolean;
  /** The type of a field that is declared by name. */
  declared(name: string): ValueType | undefined;
  /** The type of all other fields; undefined where there are none. */
  readonly others: ValueType | undefined;
  /** What a declared field is when it is left out. */
  defaultOf(name: string): JsonValue | undefined;
}

/** How a value is merged and owned. A value that may be anything has all three. */
export interface ValueType {
  readonly scalar?: ScalarType | undefined;
  readonly list?: ListType | undefined;
  readonly map?: MapType | undefined;
  /** Whether the scalar is an amount with a unit, which has many spellings. */
  readonly isQuantity?: boolean;
}

/** Anything, owned as a whole. */
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
const WHOLE_MAP: MapType = { isAtomic: true, isOpen: false, declared: NOTHING, others: WHOLE, defaultOf: NOTHING };

/** Anything: objects field by field, lists as a whole. */
const DEDUCED: ValueType = {
  scalar: "untyped",
  list: WHOLE_LIST,
  get map(): MapType {
    return DEDUCED_MAP;
  },
};

const DEDUCED_MAP: MapType = { isAtomic: false, isOpen: true, declared: NOTHING, others: DEDUCED, defaultOf: NOTHING };

/** Schema → its type, where unknown fields are dropped, and where they are kept. */
const dropping = new WeakMap<StructuralSchema, ValueType>();
const keeping = new WeakMap<StructuralSchema, ValueType>();

/** The type of a whole object, given the schema of everything but its apiVersion, kind and metadata. */
export function objectType(schema: StructuralSchema): ValueType {
  return typeOf(schema, false, () => ({ ...typeFields(schema), ...TYPE_AND_METADATA }));
}

const TYPE_AND_METADATA: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  // The metadata of a template is that of every object.
  metadata: PodTemplate.schema.properties?.["template"]?.properties?.["metadata"] ?? {},
};

type Properties = Readonly<Record<string, StructuralSchema>>;

function typeFields(schema: StructuralSchema): Properties {
  const properties = schema.properties ?? {};
  return schema["x-kubernetes-embedded-resource"] === true ? { ...properties, ...TYPE_AND_METADATA } : properties;
}

/** `isKept`: whether a schema around this one keeps unknown fields, which then holds here too. */
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
  return {
    merge: merge[schema["x-kubernetes-list-type"] ?? "atomic"],
    keys: schema["x-kubernetes-list-type"] === "map" ? keys : [],
    get item() {
      return items === undefined ? WHOLE : typeOf(items, keeps);
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
  return {
    isAtomic: schema["x-kubernetes-map-type"] === "atomic",
    get isOpen() {
      return isBare && others()?.scalar === "untyped";
    },
    declared: (name) => {
      const field = fieldOf(name);
      // What unknown fields of metadata are does not depend on where it stands.
      return field === undefined ? undefined : typeOf(field, keeps && field !== TYPE_AND_METADATA["metadata"]);
    },
    get others() {
      return others();
    },
    defaultOf: (name) => fieldOf(name)?.default,
  };
}

/** The type of a field, declared or not; undefined where there can be none. */
export function fieldType(map: MapType, name: string): ValueType | undefined {
  return map.declared(name) ?? map.others;
}

/** What a value turned out to be, or that its type leaves it open. */
export type Form = "scalar" | "list" | "map" | "open";

/** Which of the forms that a type allows a value has; `open` for null, for an absent value and for one that does not fit. */
export function formOf(type: ValueType, value: JsonValue | undefined): Form {
  if (value === undefined || value === null) return "open";
  if (Array.isArray(value)) return type.list === undefined ? "open" : "list";
  if (typeof value === "object") return type.map === undefined ? "open" : "map";
  return type.scalar === undefined ? "open" : "scalar";
}

/** What is done with a value of each form. */
export interface FormCases<T> {
  readonly map: (type: MapType) => T;
  readonly scalar: (type: ScalarType) => T;
  readonly list: (type: ListType) => T;
}

/** Does what a form asks for; a form left open is taken for the first that the type allows. */
export function byForm<T>(type: ValueType, form: Form, cases: FormCases<T>): T {
  const { map, scalar, list } = type;
  if (map !== undefined && (form === "map" || form === "open")) return cases.map(map);
  if (scalar !== undefined && (form === "scalar" || form === "open")) return cases.scalar(scalar);
  if (list !== undefined) return cases.list(list);
  throw new TypeError("a type allows at least one form");
}
