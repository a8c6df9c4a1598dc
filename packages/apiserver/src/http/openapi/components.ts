import type { StructuralSchema } from "@levelset/core/schema";
import { API_TYPES, kindTypeName } from "../../api-types/index.ts";
import type { ApiField } from "../../api-types/index.ts";
import { META_SCHEMA } from "../../resource/index.ts";
import type { Resource } from "../../resource/index.ts";
import { OPENAPI_V2 } from "./dialect.ts";
import type { OpenApiDialect, OpenApiSchema } from "./dialect.ts";

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
    if (!resource.isCustom) return this.kind({ ...resource, schema: resource.publishedSchema });
    const name = customResourceSchemaName(resource);
    const { properties, ...rest } = resource.publishedSchema;
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
    const type = kindTypeName(kind);
    return this.#named(type, {}, () => {
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
  }

  /** Returns a reference to the list schema of a resource. */
  list(resource: Resource): OpenApiSchema {
    const { group, version, listKind: kind } = resource;
    const name = resource.isCustom
      ? customResourceSchemaName({ group, version, kind })
      : API_TYPES.openapiName(kindTypeName({ group, version, kind }));
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
    return this.#typed(`meta.v1.${name}`, schema, {});
  }

  /** Fields common to all objects. */
  #objectFields(): OpenApiSchema {
    return { ...TYPE_FIELDS, metadata: this.#metadata() };
  }

  #metadata(): OpenApiSchema {
    return this.#typed("meta.v1.ObjectMeta", META_SCHEMA, METADATA);
  }

  #listMeta(): OpenApiSchema {
    return this.#typed("meta.v1.ListMeta", LIST_META_SCHEMA, { description: "Standard list metadata." });
  }

  #add(name: string, build: () => OpenApiSchema): void {
    if (this.#schemas.has(name)) return;
    // Placeholder, because a type may refer to itself.
    this.#schemas.set(name, {});
    this.#schemas.set(name, build());
  }

  #typed(type: string, schema: StructuralSchema, remarks: OpenApiSchema): OpenApiSchema {
    return this.#named(type, remarks, () => this.#fields(schema, type));
  }

  /** Adds the schema of an API type, such as `core.v1.Pod`, and returns a reference to it. */
  #named(type: string, remarks: OpenApiSchema, build: () => OpenApiSchema): OpenApiSchema {
    const name = API_TYPES.openapiName(type);
    this.#add(name, build);
    return this.#dialect.ref(name, remarks);
  }

  /** Returns the schema of a type. Descriptions belong to the uses of the type. */
  #fields(
    schema: StructuralSchema,
    type: string,
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

  #field(schema: StructuralSchema, name: string, owner: string): OpenApiSchema {
    if (name === "metadata" && schema.type === "object") return this.#metadata();
    return this.#value(schema, API_TYPES.properties(owner).get(name));
  }

  /** Returns the schema of a value; objects in it have the type of the field. */
  #value(schema: StructuralSchema, field: ApiField | undefined): OpenApiSchema {
    const remarks = remarksOf(schema);
    if (schema["x-kubernetes-int-or-string"] === true) return this.#scalar(schema, remarks);
    if (schema.items !== undefined) return { ...remarks, type: "array", items: this.#value(schema.items, field) };
    if (schema.additionalProperties !== undefined) {
      const additionalProperties = this.#value(schema.additionalProperties, field);
      return { ...remarks, type: "object", additionalProperties };
    }
    const isObject = schema.type === undefined || schema.type === "object";
    if (isObject && field !== undefined) return this.#typed(field.type, schema, remarks);
    return { ...remarks, ...simple(schema, field) };
  }

  #scalar(schema: StructuralSchema, remarks: OpenApiSchema): OpenApiSchema {
    return schema.pattern === undefined
      ? this.#named("intstr.IntOrString", remarks, () => this.#dialect.intOrString)
      : this.#named("resource.Quantity", remarks, () => this.#dialect.quantity);
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

/** Returns the schema name of a custom resource: reversed group, then version and kind. */
function customResourceSchemaName({ group, version, kind }: { group: string; version: string; kind: string }): string {
  return [...group.split(".").toReversed(), version, kind].join(".");
}

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

/** Returns the fields that kube-apiserver publishes as required. */
function requiredOf({ required = [] }: StructuralSchema, type: string): readonly string[] {
  const published = [...API_TYPES.properties(type).values()];
  const names = published.length === 0 ? required : published.filter(isRequired).map(({ name }) => name);
  return names.toSorted();
}

function isRequired({ marks }: ApiField): boolean {
  return marks.has("required");
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

/** Returns the schema of a scalar. The published enum may have fewer or more values than the validated one. */
function simple({ type, format, enum: validated }: StructuralSchema, field: ApiField | undefined): OpenApiSchema {
  const values = field?.marks.get("enum")?.split(",") ?? validated;
  return {
    ...(type === undefined ? {} : { type }),
    ...(format === undefined ? {} : { format }),
    ...(values === undefined ? {} : { enum: values }),
  };
}
