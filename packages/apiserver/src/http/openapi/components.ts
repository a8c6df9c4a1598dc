import type { StructuralSchema } from "@levelset/core";
import { CRD_RESOURCE, META_SCHEMA } from "../../registry/index.ts";
import type { Resource } from "../../registry/index.ts";
import { crdSchema } from "./crd-schema.ts";
import { INT_OR_STRING_SCHEMA_NAME, QUANTITY_SCHEMA_NAME, schemaRef, OPENAPI_V2 } from "./dialect.ts";
import type { OpenApiDialect, OpenApiSchema } from "./dialect.ts";
import { OPTIONAL_FIELDS, REQUIRED_FIELDS, KNOWN_VALUES } from "./type-overrides.ts";
import { customResourceSchemaName, LIST_META, OBJECT_META, schemaName, typeOfField, typeOfKind } from "./type-name.ts";
import type { TypeName } from "./type-name.ts";

/** A kind described by a document, as a resource or as the body of a subresource. */
export interface OpenApiKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Schema without apiVersion, kind and metadata. */
  readonly schema: StructuralSchema;
}

const TYPE_FIELDS: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: { type: "string", description: "The group and version of the schema that this object follows." },
  kind: { type: "string", description: "The kind of object." },
};

const METADATA = { description: "Standard metadata of every object." };

/**
 * Schemas of one document under the names that kube-apiserver publishes. A schema is added when it is first referenced.
 */
export class Components {
  readonly #dialect: OpenApiDialect;
  readonly #schemas = new Map<string, OpenApiSchema>();

  constructor(dialect: OpenApiDialect) {
    this.#dialect = dialect;
  }

  /** All schemas added so far, by name. */
  get schemas(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Returns a reference to the object schema of a resource. */
  object(resource: Resource): OpenApiSchema {
    if (!resource.isCustom)
      return this.kind({ ...resource, schema: resource === CRD_RESOURCE ? crdSchema() : resource.bodySchema });
    const name = customResourceSchemaName(resource);
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
    return this.#dialect.ref(name, {});
  }

  /** Returns a reference to the schema of a built-in kind. */
  kind(kind: OpenApiKind): OpenApiSchema {
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
    return schemaRef(this.#dialect, type);
  }

  /** Returns a reference to the list schema of a resource. */
  list(resource: Resource): OpenApiSchema {
    const { group, version, listKind: kind } = resource;
    const name = resource.isCustom
      ? customResourceSchemaName({ group, version, kind })
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
    return this.#dialect.ref(name, {});
  }

  /** Returns a reference to a meta/v1 type with the given schema. */
  meta(name: string, schema: StructuralSchema): OpenApiSchema {
    return this.#typed({ packageName: "meta", name }, schema, {});
  }

  /** Fields common to all objects. */
  #objectFields(): OpenApiSchema {
    return { ...TYPE_FIELDS, metadata: this.#metadata() };
  }

  #metadata(): OpenApiSchema {
    return this.#typed(OBJECT_META, META_SCHEMA, METADATA);
  }

  #listMeta(): OpenApiSchema {
    return this.#typed(LIST_META, LIST_META_SCHEMA, { description: "Standard list metadata." });
  }

  #add(name: string, build: () => OpenApiSchema): void {
    if (this.#schemas.has(name)) return;
    // Placeholder, because a type may refer to itself.
    this.#schemas.set(name, {});
    this.#schemas.set(name, build());
  }

  #typed(type: TypeName, schema: StructuralSchema, remarks: OpenApiSchema): OpenApiSchema {
    this.#add(schemaName(type), () => this.#fields(schema, type));
    return schemaRef(this.#dialect, type, remarks);
  }

  /** Returns the schema of a type. Descriptions belong to the uses of the type. */
  #fields(
    schema: StructuralSchema,
    type: TypeName,
  ): { readonly properties?: OpenApiSchema; readonly [key: string]: unknown } {
    const { properties } = schema;
    const required = requiredOf(schema, type);
    return {
      // A schema without a type accepts any value.
      ...(schema.type === undefined ? {} : { type: "object" }),
      ...(required.length === 0 ? {} : { required }),
      ...(properties === undefined
        ? {}
        : { properties: mapValues(properties, (child, name) => this.#field(child, name, type)) }),
    };
  }

  #field(schema: StructuralSchema, name: string, owner: TypeName): OpenApiSchema {
    if (name === "metadata" && schema.type === "object") return this.#metadata();
    const values = KNOWN_VALUES[`${owner.packageName}.${owner.name}.${name}`];
    return this.#value(values === undefined ? schema : { ...schema, enum: values }, typeOfField(owner, name));
  }

  /** Returns the schema of a value; objects in it have the given type. */
  #value(schema: StructuralSchema, type: TypeName | undefined): OpenApiSchema {
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

  #scalar(schema: StructuralSchema, remarks: OpenApiSchema): OpenApiSchema {
    const isQuantity = schema.pattern !== undefined;
    const name = isQuantity ? QUANTITY_SCHEMA_NAME : INT_OR_STRING_SCHEMA_NAME;
    this.#add(name, () => (isQuantity ? this.#dialect.quantity : this.#dialect.intOrString));
    return this.#dialect.ref(name, remarks);
  }

  /** Returns the inline schema of a part of a custom resource, as declared in the CRD. */
  #declared(schema: StructuralSchema): OpenApiSchema {
    const { properties, items, additionalProperties, ...rest } = schema;
    const isObject = rest["x-kubernetes-embedded-resource"] === true;
    const known = mapValues(properties, (child) => this.#declared(child));
    const inner = {
      ...(properties === undefined ? {} : { properties: known }),
      ...(isObject ? { properties: { ...known, ...this.#objectFields() }, required: objectRequired(rest) } : {}),
      ...(items === undefined ? {} : { items: this.#declared(items) }),
      ...(additionalProperties === undefined ? {} : { additionalProperties: this.#declared(additionalProperties) }),
    };
    if (this.#dialect === OPENAPI_V2) return forOldClients(rest, inner);
    const isEither = rest["x-kubernetes-int-or-string"] === true && rest.anyOf === undefined;
    return { ...rest, ...inner, ...(isEither ? { anyOf: [{ type: "integer" }, { type: "string" }] } : {}) };
  }
}

function objectRequired({ required = [] }: StructuralSchema): readonly string[] {
  return [...required, ...["kind", "apiVersion"].filter((name) => !required.includes(name))];
}

/**
 * Swagger 2.0 has no `oneOf`, and its clients read `type` as exhaustive. The type is omitted for values of several
 * types.
 */
function forOldClients(schema: StructuralSchema, inner: OpenApiSchema): OpenApiSchema {
  const { nullable, anyOf: _a, oneOf: _o, not: _n, type, ...plain } = schema;
  if (schema["x-kubernetes-preserve-unknown-fields"] === true || nullable === true) return plain;
  return { ...plain, ...(type === undefined ? {} : { type }), ...inner };
}

const LIST_META_SCHEMA: StructuralSchema = {
  type: "object",
  properties: {
    continue: { type: "string", description: "Token for the next page; empty on the last page." },
    remainingItemCount: { type: "integer", format: "int64", description: "Number of objects after this page." },
    resourceVersion: { type: "string", description: "Revision that the list shows." },
    selfLink: { type: "string", description: "Obsolete." },
  },
};

/** Group, version and kind for the x-kubernetes-group-version-kind extension. */
export function gvkOf({ group, version, kind }: { group: string; version: string; kind: string }): OpenApiSchema {
  return { group, kind, version };
}

function mapValues<T>(
  record: Readonly<Record<string, T>> | undefined,
  map: (value: T, key: string) => unknown,
): OpenApiSchema {
  return Object.fromEntries(Object.entries(record ?? {}).map(([key, value]) => [key, map(value, key)]));
}

/** Returns required fields and fields that the server defaults. */
function requiredOf(
  { required = [], properties = {} }: StructuralSchema,
  { packageName, name }: TypeName,
): readonly string[] {
  const type = `${packageName}.${name}`;
  const filled = Object.keys(properties).filter((field) => properties[field]?.default !== undefined);
  const always = [...required, ...filled].filter((field) => !OPTIONAL_FIELDS.has(`${type}.${field}`));
  return [...new Set([...always, ...(REQUIRED_FIELDS[type] ?? [])])].toSorted();
}

/** Returns the description, default and other annotations of one use of a type. */
function remarksOf(schema: StructuralSchema): OpenApiSchema {
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

/** Returns the schema of a scalar. */
function simple({ type, format, enum: values }: StructuralSchema): OpenApiSchema {
  return {
    ...(type === undefined ? {} : { type }),
    ...(format === undefined ? {} : { format }),
    ...(values === undefined ? {} : { enum: values }),
  };
}
