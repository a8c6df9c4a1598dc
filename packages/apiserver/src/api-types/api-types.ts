/**
 * The API types of Kubernetes in the notation of `api-types.json`, which `npm run api-types` generates.
 *
 * A field is its protobuf number, its Go type, and marks: `"6 []core.v1.ContainerPort listType=map …"`. Named scalar
 * types such as `Protocol` are resolved. Scalars have the pointer of Go (`*int32`); objects have none.
 */
export interface ApiTypesData {
  /** Key of a Go package, such as `core.v1` → prefix of its OpenAPI names. */
  readonly packages: Readonly<Record<string, string>>;
  /** apiVersion → served kinds, separated by spaces. */
  readonly kinds: Readonly<Record<string, string>>;
  /** Type, such as `core.v1.Pod` → fields by JSON name. The name of an inline field is documentation only. */
  readonly types: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Go markers and facts of the published OpenAPI. */
export type ApiFieldMark =
  /** The embedded struct's fields are fields of this type in JSON. */
  | "inline"
  /** The JSON of the type is the value of this field, its only one. */
  | "self"
  /** Go omits "", 0 and false from JSON. */
  | "omitempty"
  /** Go writes a field that is not set: `null`, or the `empty` value of the type. */
  | "zero"
  /** One of several alternatives, of which a message has exactly one. */
  | "oneof"
  | "required"
  | "enum"
  | "listType"
  | "listMapKeys"
  | "mapType"
  | "patchStrategy"
  | "patchMergeKey";

/** A field of a type. */
export interface ApiField {
  readonly name: string;
  /** Number in protobuf messages. */
  readonly number: number;
  readonly shape: "one" | "list" | "map";
  /** A scalar type of protobuf, or the name of a type; of the items for a list or map. */
  readonly type: string;
  /** Marks with their values; "" for a mark without a value. */
  readonly marks: ReadonlyMap<ApiFieldMark, string>;
}

const NO_PROPERTIES: ReadonlyMap<string, ApiField> = new Map();

/** The types by name. Fields are parsed when a type is first used. */
export class ApiTypes {
  readonly #data: ApiTypesData;
  readonly #fields = new Map<string, readonly ApiField[]>();
  readonly #properties = new Map<string, ReadonlyMap<string, ApiField>>();

  constructor(data: ApiTypesData) {
    this.#data = data;
  }

  /** Returns the fields of a type as in its protobuf message; undefined for an unknown type. */
  fields(type: string): readonly ApiField[] | undefined {
    const known = this.#fields.get(type);
    if (known !== undefined) return known;
    const declared = own(this.#data.types, type);
    if (declared === undefined) return undefined;
    const fields = Object.entries(declared).map(([name, text]) => parseField(name, text));
    this.#fields.set(type, fields);
    return fields;
  }

  /** Returns the fields of a type by name as in JSON, with those of inline types; empty for an unknown type. */
  properties(type: string): ReadonlyMap<string, ApiField> {
    const known = this.#properties.get(type);
    if (known !== undefined) return known;
    const fields = this.fields(type);
    if (fields === undefined) return NO_PROPERTIES;
    const properties = new Map(
      fields.flatMap((field): readonly (readonly [string, ApiField])[] =>
        field.marks.has("inline") ? [...this.properties(field.type)] : [[field.name, field]],
      ),
    );
    this.#properties.set(type, properties);
    return properties;
  }

  /** Returns the type of a served kind; undefined for any other kind. */
  typeOfKind(apiVersion: string, kind: string): string | undefined {
    const kinds = own(this.#data.kinds, apiVersion);
    if (kinds?.split(" ").includes(kind) !== true) return undefined;
    const [version = "", group = ""] = apiVersion.split("/").toReversed();
    return kindTypeName({ group, version, kind });
  }

  /** Returns the name of a type in OpenAPI documents, such as `io.k8s.api.core.v1.Pod`. */
  openapiName(type: string): string {
    const at = type.lastIndexOf(".");
    const key = type.slice(0, at);
    return `${own(this.#data.packages, key) ?? key}${type.slice(at)}`;
  }
}

/** Returns the type of a built-in kind: the first label of its group, its version and its name. */
export function kindTypeName(kind: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}): string {
  const [label] = kind.group.split(".", 1);
  return `${label === undefined || label === "" ? "core" : label}.${kind.version}.${kind.kind}`;
}

function parseField(name: string, text: string): ApiField {
  const [number, written = "", ...marks] = text.split(" ");
  const [, prefix = "", type = ""] = /^(\*|\[\]|map\[string\])?(.*)$/u.exec(written) ?? [];
  return {
    name,
    number: Number(number),
    shape: prefix === "[]" ? "list" : prefix === "map[string]" ? "map" : "one",
    type,
    marks: new Map(
      marks.map((mark) => {
        const [key = "", value = ""] = mark.split("=");
        // The file is generated, and contains no other marks.
        return [key as ApiFieldMark, value];
      }),
    ),
  };
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
