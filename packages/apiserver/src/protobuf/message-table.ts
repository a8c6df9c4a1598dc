import type { ApiField, ApiTypes } from "../api-types/index.ts";

/** Types whose message has one field with JSON text. */
const JSON_TEXT_TYPES: readonly string[] = ["apiextensions.v1.JSON", "runtime.RawExtension"];

/** Types whose Go code writes another JSON form than an object with the fields of the message. */
const JSON_FORMS: Readonly<Record<string, JsonForm>> = {
  "meta.v1.Time": "time",
  "meta.v1.MicroTime": "microTime",
  "resource.Quantity": "quantity",
  "intstr.IntOrString": "intOrString",
  "apiextensions.v1.JSONSchemaPropsOrArray": "value",
  "apiextensions.v1.JSONSchemaPropsOrBool": "value",
  "apiextensions.v1.JSONSchemaPropsOrStringArray": "value",
  ...Object.fromEntries(JSON_TEXT_TYPES.map((type) => [type, "value"] as const)),
};

/** The JSON form of a message that is not an object. `value`: the value of the last field that is set. */
export type JsonForm = "time" | "microTime" | "quantity" | "intOrString" | "value";

/** A scalar type. `json` is JSON text in a `bytes` field. */
export type ProtobufScalar = "string" | "bytes" | "json" | "bool" | "int32" | "int64" | "double";

/** A message with another JSON form than an object. */
export interface FormedMessage {
  readonly form: JsonForm;
  readonly table: MessageTable;
}

/** Type of a field value. A message becomes a JSON object, unless it has another form. */
export type ProtobufValueType = ProtobufScalar | MessageTable | FormedMessage;

/** A field of a message. */
export type MessageField =
  | {
      readonly shape: "one";
      readonly name: string;
      readonly type: ProtobufValueType;
      /** Whether "", 0 and false on the wire appear in JSON. Go omits them for fields with `omitempty`. */
      readonly zero: "kept" | "dropped";
    }
  | { readonly shape: "list"; readonly name: string; readonly type: ProtobufValueType }
  /** A map with string keys. */
  | { readonly shape: "map"; readonly name: string; readonly type: ProtobufValueType }
  /** An embedded message whose fields JSON inlines into the parent object. */
  | { readonly shape: "inline"; readonly type: MessageTable };

/** Fields by number. */
export type MessageTable = ReadonlyMap<number, MessageField>;

const SCALARS: ReadonlySet<string> = new Set<ProtobufScalar>(["string", "bytes", "bool", "int32", "int64", "double"]);

/** Message tables of API types. A table and those of its fields are built on first use. */
export class MessageTables {
  readonly #types: ApiTypes;
  readonly #tables = new Map<string, MessageTable>();

  constructor(types: ApiTypes) {
    this.#types = types;
  }

  /** Returns the table of a type. Throws for an unknown type. */
  get(type: string): MessageTable {
    const known = this.#tables.get(type);
    if (known !== undefined) return known;
    const fields = this.#types.fields(type);
    if (fields === undefined) throw new TypeError(`${type} is not an API type`);
    const table = new Map<number, MessageField>();
    // Before its fields, because a type may refer to itself.
    this.#tables.set(type, table);
    for (const field of fields) {
      if (isRead(type, field)) table.set(field.number, this.#field(type, field));
    }
    return table;
  }

  #field(owner: string, { name, shape, type, marks }: ApiField): MessageField {
    if (marks.has("inline")) return { shape: "inline", type: this.get(type) };
    const valueType = JSON_TEXT_TYPES.includes(owner) ? "json" : this.#valueType(type);
    if (shape !== "one") return { shape, name, type: valueType };
    return { shape, name, type: valueType, zero: marks.has("omitempty") ? "dropped" : "kept" };
  }

  #valueType(type: string): ProtobufValueType {
    if (isScalar(type)) return type;
    const isList = this.#types.fields(type)?.some(({ marks }) => marks.has("self")) === true;
    const form = isList ? "value" : JSON_FORMS[type];
    return form === undefined ? this.get(type) : { form, table: this.get(type) };
  }
}

/** `managedFields` is skipped: clients return it as they read it, and an update without it keeps it. */
function isRead(type: string, { name }: ApiField): boolean {
  return !(type === "meta.v1.ObjectMeta" && name === "managedFields");
}

function isScalar(type: string): type is ProtobufScalar {
  return SCALARS.has(type);
}
