/** How a single value is written in JSON. A message is written as an object. */
export type ValueType =
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
  | Message;

/** What a field number of a message stands for. */
export type Field =
  | {
      readonly shape: "one";
      readonly name: string;
      readonly type: ValueType;
      /** Whether "", 0 and false on the wire are written. Go leaves them out where a field has `omitempty`. */
      readonly zero: "kept" | "dropped";
    }
  | { readonly shape: "list"; readonly name: string; readonly type: ValueType }
  /** By text. */
  | { readonly shape: "map"; readonly name: string; readonly type: ValueType }
  /** A message of its own on the wire whose fields JSON has in the object around it. */
  | { readonly shape: "inline"; readonly type: Message };

/** Fields by number. */
export type Message = ReadonlyMap<number, Field>;

type Declared = readonly [number: number, field: (name: string) => Field];

/** The table of a message: its fields by their names in JSON. The name of an inline field is for the reader only. */
export function message(fields: Readonly<Record<string, Declared>>): Message {
  return new Map(Object.entries(fields).map(([name, [number, field]]) => [number, field(name)]));
}

/** A field that Go writes to the wire always, and to JSON unless it is zero: a value with `omitempty`. */
export function one(type: ValueType, number: number): Declared {
  return [number, (name) => ({ shape: "one", name, type, zero: "dropped" })];
}

/** A field whose zero means something: a pointer, or a value without `omitempty`. */
export function kept(type: ValueType, number: number): Declared {
  return [number, (name) => ({ shape: "one", name, type, zero: "kept" })];
}

/** A list. Absent and empty are the same on the wire. */
export function list(type: ValueType, number: number): Declared {
  return [number, (name) => ({ shape: "list", name, type })];
}

/** A map by text. Absent and empty are the same on the wire. */
export function map(type: ValueType, number: number): Declared {
  return [number, (name) => ({ shape: "map", name, type })];
}

/** An embedded struct of Go. */
export function inline(type: Message, number: number): Declared {
  return [number, () => ({ shape: "inline", type })];
}
