/** Type of a field value. A message becomes a JSON object. */
export type ProtobufValueType =
  | "string"
  | "bytes"
  | "bool"
  | "int32"
  | "int64"
  | "double"
  /** `metav1.Time`. */
  | "time"
  /** `metav1.MicroTime`. */
  | "microTime"
  /** `resource.Quantity`. */
  | "quantity"
  /** `intstr.IntOrString`. */
  | "intOrString"
  | MessageTable;

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

type Declared = readonly [number: number, field: (name: string) => MessageField];

/** Builds a message table from fields by JSON name. The name of an inline field is documentation only. */
export function messageTable(fields: Readonly<Record<string, Declared>>): MessageTable {
  return new Map(Object.entries(fields).map(([name, [number, field]]) => [number, field(name)]));
}

/** A non-pointer Go field with `omitempty`: always on the wire, omitted from JSON if zero. */
export function omitEmptyField(type: ProtobufValueType, number: number): Declared {
  return [number, (name) => ({ shape: "one", name, type, zero: "dropped" })];
}

/** A pointer field, or a value without `omitempty`: zero is significant. */
export function presentField(type: ProtobufValueType, number: number): Declared {
  return [number, (name) => ({ shape: "one", name, type, zero: "kept" })];
}

/** A list. Absent and empty are indistinguishable on the wire. */
export function repeatedField(type: ProtobufValueType, number: number): Declared {
  return [number, (name) => ({ shape: "list", name, type })];
}

/** A map with string keys. Absent and empty are indistinguishable on the wire. */
export function mapField(type: ProtobufValueType, number: number): Declared {
  return [number, (name) => ({ shape: "map", name, type })];
}

/** An embedded Go struct. */
export function embeddedField(type: MessageTable, number: number): Declared {
  return [number, () => ({ shape: "inline", type })];
}
