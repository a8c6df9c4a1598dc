import type { StructuralSchema } from "@levelset/core";
import { CRDS, META_SCHEMA } from "../../registry/index.ts";
import type { Resource } from "../../registry/index.ts";
import { crdSchema } from "./crd-schema.ts";
import { INT_OR_STRING, QUANTITY, referTo, V2 } from "./dialect.ts";
import type { Dialect, Remarks } from "./dialect.ts";
import { OPTIONAL, REQUIRED, VALUES } from "./type-facts.ts";
import { declaredName, LIST_META, OBJECT_META, schemaName, typeOfField, typeOfKind } from "./type-name.ts";
import type { TypeName } from "./type-name.ts";

/** A kind that a document describes, by itself or as what a part of another kind takes. */
export interface Described {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Without apiVersion, kind and metadata. */
  readonly schema: StructuralSchema;
}

const TYPE_FIELDS: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: { type: "string", description: "The group and version of the schema that this object follows." },
  kind: { type: "string", description: "The kind of object." },
};

const METADATA = { description: "Standard metadata of every object." };

/** Schemas of one document, each under the name that the real server gives it. Added as they are referred to. */
export class Components {
  readonly #dialect: Dialect;
  readonly #schemas = new Map<string, Remarks>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** All schemas so far, by name. */
  get schemas(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A reference to the schema of the objects of a resource. */
  object(resource: Resource): Remarks {
    if (!resource.custom)
      return this.kind({ ...resource, schema: resource === CRDS ? crdSchema() : resource.bodySchema });
    const name = declaredName(resource);
    const { properties, ...rest } = resource.bodySchema;
    this.#add(name, () => ({
      ...this.#declared({ ...rest, type: "object" }),
      properties: {
        ...this.#objectFields(),
        ...mapValues(properties, (child) => this.#declared(child)),
      },
      "x-kubernetes-group-version-kind": [gvkOf(resource)],
      ...(resource.selectableFields.length === 0
        ? {}
        : { "x-kubernetes-selectable-fields": resource.selectableFields.map((fieldPath) => ({ fieldPath })) }),
    }));
    return this.#dialect.refer(name, {});
  }

  /** A reference to the schema of a kind of the server's own. */
  kind(kind: Described): Remarks {
    const type = typeOfKind(kind);
    this.#add(schemaName(type), () => {
      const { type: _t, ...published } = this.#fields(kind.schema, type);
      const { description } = kind.schema;
      return {
        ...(description === undefined ? {} : { description }),
        type: "object",
        ...published,
        properties: { ...this.#objectFields(), ...published["properties"] },
        "x-kubernetes-group-version-kind": [gvkOf(kind)],
      };
    });
    return referTo(this.#dialect, type);
  }

  /** A reference to the schema of lists of a resource. */
  list(resource: Resource): Remarks {
    const { group, version, listKind: kind } = resource;
    const name = resource.custom
      ? declaredName({ group, version, kind })
      : schemaName(typeOfKind({ group, version, kind }));
    this.#add(name, () => ({
      type: "object",
      description: `A list of ${resource.kind}.`,
      required: ["items"],
      properties: {
        ...TYPE_FIELDS,
        metadata: this.#listMeta(),
        items: { type: "array", description: "The objects.", items: this.object(resource) },
      },
      "x-kubernetes-group-version-kind": [gvkOf({ group, version, kind })],
    }));
    return this.#dialect.refer(name, {});
  }

  /** A reference to a type of meta/v1 whose schema is given. */
  meta(name: string, schema: StructuralSchema): Remarks {
    return this.#typed({ pack: "meta", name }, schema, {});
  }

  /** The fields that every object has. */
  #objectFields(): Remarks {
    return { ...TYPE_FIELDS, metadata: this.#metadata() };
  }

  #metadata(): Remarks {
    return this.#typed(OBJECT_META, META_SCHEMA, METADATA);
  }

  #listMeta(): Remarks {
    return this.#typed(LIST_META, LIST_META_SCHEMA, { description: "About the list as a whole." });
  }

  #add(name: string, build: () => Remarks): void {
    if (this.#schemas.has(name)) return;
    // Holds the place: a type may refer to itself.
    this.#schemas.set(name, {});
    this.#schemas.set(name, build());
  }

  #typed(type: TypeName, schema: StructuralSchema, remarks: Remarks): Remarks {
    this.#add(schemaName(type), () => this.#fields(schema, type));
    return referTo(this.#dialect, type, remarks);
  }

  /** The schema of a type itself. Each use of it says what it is for, so that the type need not. */
  #fields(
    schema: StructuralSchema,
    type: TypeName,
  ): { readonly properties?: Remarks; readonly [key: string]: unknown } {
    const { properties } = schema;
    const required = requiredOf(schema, type);
    return {
      // What may be anything has no type.
      ...(schema.type === undefined ? {} : { type: "object" }),
      ...(required.length === 0 ? {} : { required }),
      ...(properties === undefined
        ? {}
        : { properties: mapValues(properties, (child, name) => this.#field(child, name, type)) }),
    };
  }

  #field(schema: StructuralSchema, name: string, owner: TypeName): Remarks {
    if (name === "metadata" && schema.type === "object") return this.#metadata();
    const values = VALUES[`${owner.pack}.${owner.name}.${name}`];
    return this.#value(values === undefined ? schema : { ...schema, enum: values }, typeOfField(owner, name));
  }

  /** The schema of a value whose innermost objects have the given type. */
  #value(schema: StructuralSchema, type: TypeName | undefined): Remarks {
    const remarks = remarksOf(schema);
    if (schema["x-kubernetes-int-or-string"] === true) return this.#scalar(schema, remarks);
    if (schema.items !== undefined) return { ...remarks, type: "array", items: this.#value(schema.items, type) };
    if (schema.additionalProperties !== undefined) {
      const additionalProperties = this.#value(schema.additionalProperties, type);
      return { ...remarks, type: "object", additionalProperties };
    }
    if (type !== undefined) return this.#typed(type, schema, remarks);
    return { ...remarks, ...simple(schema) };
  }

  #scalar(schema: StructuralSchema, remarks: Remarks): Remarks {
    const isQuantity = schema.pattern !== undefined;
    const name = isQuantity ? QUANTITY : INT_OR_STRING;
    this.#add(name, () => (isQuantity ? this.#dialect.quantity : this.#dialect.intOrString));
    return this.#dialect.refer(name, remarks);
  }

  /** The schema of a part of a declared kind: written out, as the declaration has it. */
  #declared(schema: StructuralSchema): Remarks {
    const { properties, items, additionalProperties, ...rest } = schema;
    const isObject = rest["x-kubernetes-embedded-resource"] === true;
    const known = mapValues(properties, (child) => this.#declared(child));
    const inner = {
      ...(properties === undefined ? {} : { properties: known }),
      ...(isObject ? { properties: { ...known, ...this.#objectFields() }, required: objectRequired(rest) } : {}),
      ...(items === undefined ? {} : { items: this.#declared(items) }),
      ...(additionalProperties === undefined ? {} : { additionalProperties: this.#declared(additionalProperties) }),
    };
    if (this.#dialect === V2) return forOldClients(rest, inner);
    const isEither = rest["x-kubernetes-int-or-string"] === true && rest.anyOf === undefined;
    return { ...rest, ...inner, ...(isEither ? { anyOf: [{ type: "integer" }, { type: "string" }] } : {}) };
  }
}

function objectRequired({ required = [] }: StructuralSchema): readonly string[] {
  return [...required, ...["kind", "apiVersion"].filter((name) => !required.includes(name))];
}

/** Swagger 2.0 knows no choices. Its clients take types for the whole truth, so that nothing is said about what is open. */
function forOldClients(schema: StructuralSchema, inner: Remarks): Remarks {
  const { nullable, anyOf: _a, oneOf: _o, not: _n, type, ...plain } = schema;
  if (schema["x-kubernetes-preserve-unknown-fields"] === true || nullable === true) return plain;
  return { ...plain, ...(type === undefined ? {} : { type }), ...inner };
}

const LIST_META_SCHEMA: StructuralSchema = {
  type: "object",
  properties: {
    continue: { type: "string", description: "Where the list goes on, if it does." },
    remainingItemCount: { type: "integer", format: "int64", description: "How many objects come after these." },
    resourceVersion: { type: "string", description: "The state that the list shows." },
    selfLink: { type: "string", description: "Obsolete." },
  },
};

/** Group, version and kind, as schemas and operations carry them. */
export function gvkOf({ group, version, kind }: { group: string; version: string; kind: string }): Remarks {
  return { group, kind, version };
}

function mapValues<T>(
  record: Readonly<Record<string, T>> | undefined,
  map: (value: T, key: string) => unknown,
): Remarks {
  return Object.fromEntries(Object.entries(record ?? {}).map(([key, value]) => [key, map(value, key)]));
}

/** Fields that are always there: those that must be given, and those that the server fills in. */
function requiredOf({ required = [], properties = {} }: StructuralSchema, { pack, name }: TypeName): readonly string[] {
  const type = `${pack}.${name}`;
  const filled = Object.keys(properties).filter((field) => properties[field]?.default !== undefined);
  const always = [...required, ...filled].filter((field) => !OPTIONAL.has(`${type}.${field}`));
  return [...new Set([...always, ...(REQUIRED[type] ?? [])])].toSorted();
}

/** What a use of a type says about it besides what the type is. */
function remarksOf(schema: StructuralSchema): Remarks {
  const { description, default: value } = schema;
  const extensions = Object.entries(schema).filter(([key]) => isPublished(key));
  return {
    ...(description === undefined ? {} : { description }),
    ...(value === undefined ? {} : { default: value }),
    ...Object.fromEntries(extensions),
  };
}

const UNPUBLISHED = ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-int-or-string", "x-kubernetes-validations"];

function isPublished(key: string): boolean {
  return key.startsWith("x-kubernetes-") && !UNPUBLISHED.includes(key);
}

/** A value without parts. */
function simple({ type, format, enum: values }: StructuralSchema): Remarks {
  return {
    ...(type === undefined ? {} : { type }),
    ...(format === undefined ? {} : { format }),
    ...(values === undefined ? {} : { enum: values }),
  };
}
