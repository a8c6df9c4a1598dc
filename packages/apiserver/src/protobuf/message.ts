import { decodeUtf8, JsonError, parseJson, unreachable } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { FormedMessage, MessageField, MessageTable, ProtobufValueType } from "./message-table.ts";
import { formatProtobufTime } from "./time.ts";
import { packedVarints, ProtobufError, wireFields } from "./wire.ts";
import type { WireField } from "./wire.ts";

/** Maximum nesting of messages. Built-in kinds need about twenty levels; message tables can be recursive. */
export const DEPTH_MAX = 100;

/**
 * Decodes a message to its JSON form. Unknown fields, such as those of newer clients, are skipped. Throws
 * `ProtobufError`.
 */
export function decodeMessage(table: MessageTable, bytes: Uint8Array): JsonObject {
  return objectOf(table, bytes, 0);
}

type Member = readonly [name: string, value: JsonValue];

function objectOf(table: MessageTable, bytes: Uint8Array, depth: number): JsonObject {
  // fromEntries makes every key an own property, `__proto__` included.
  return Object.fromEntries(membersOf(table, bytes, depth));
}

function membersOf(table: MessageTable, bytes: Uint8Array, depth: number): readonly Member[] {
  if (depth > DEPTH_MAX) throw new ProtobufError(`messages are nested more than ${DEPTH_MAX} levels deep`);
  const found = new Map<MessageField, WireField[]>();
  for (const wire of wireFields(bytes)) {
    const field = table.get(wire.number);
    if (field === undefined) continue;
    const values = found.get(field);
    if (values === undefined) found.set(field, [wire]);
    else values.push(wire);
  }
  return [...found].flatMap(([field, values]) => fieldMembers(field, values, depth));
}

function fieldMembers(field: MessageField, values: readonly WireField[], depth: number): readonly Member[] {
  switch (field.shape) {
    case "one": {
      const value = single(field.type, values, depth);
      if (value === undefined) return [];
      const isZero = value === "" || value === 0 || value === false;
      return isZero && field.zero === "dropped" ? [] : [[field.name, value]];
    }
    case "list":
      return [[field.name, values.flatMap((value) => items(field.type, value, depth))]];
    case "map":
      return [[field.name, Object.fromEntries(values.map((value) => entryOf(field.type, value, depth)))]];
    case "inline":
      return membersOf(field.type, joined(values), depth + 1);
    default:
      return unreachable(field);
  }
}

/** Returns the last of several values; repeated occurrences of a message are merged. */
function single(type: ProtobufValueType, values: readonly WireField[], depth: number): JsonValue | undefined {
  const last = values.at(-1);
  if (last === undefined) return undefined;
  return isMessage(type) ? objectOf(type, joined(values), depth + 1) : valueOf(type, last, depth);
}

/** Decodes an item of a list, or several items if numbers are packed. */
function items(type: ProtobufValueType, value: WireField, depth: number): readonly JsonValue[] {
  const isPackable = type === "bool" || type === "int32" || type === "int64";
  if (!isPackable || value.type !== "bytes") return [valueOf(type, value, depth) ?? null];
  return Array.from(packedVarints(value.value), (varint) => numberOf(type, varint));
}

function entryOf(type: ProtobufValueType, value: WireField, depth: number): Member {
  const parts: { 1: WireField[]; 2: WireField[] } = { 1: [], 2: [] };
  for (const part of wireFields(bytesOf(value))) {
    if (part.number === 1 || part.number === 2) parts[part.number].push(part);
  }
  const key = parts[1].at(-1);
  const given = single(type, parts[2], depth + 1);
  return [key === undefined ? "" : textOf(key), given ?? emptyOf(type)];
}

/** Returns the default of a missing map value. */
function emptyOf(type: ProtobufValueType): JsonValue {
  if (isMessage(type)) return {};
  if (typeof type === "object") return type.form === "quantity" ? "0" : null;
  return type === "string" || type === "bytes" ? "" : null;
}

/** Decodes a single value; undefined for a zero time and for empty JSON text. */
function valueOf(type: ProtobufValueType, value: WireField, depth: number): JsonValue | undefined {
  if (isMessage(type)) return objectOf(type, bytesOf(value), depth + 1);
  if (typeof type === "object") return formOf(type, bytesOf(value), depth);
  switch (type) {
    case "string":
      return textOf(value);
    case "bytes":
      return Buffer.from(bytesOf(value)).toString("base64");
    case "bool":
    case "int32":
    case "int64":
      return numberOf(type, varintOf(value));
    case "double":
      return doubleOf(value);
    case "json":
      return jsonOf(value);
    default:
      return unreachable(type);
  }
}

/** Returns the JSON form of a message; undefined for a zero time and for a message without a value. */
function formOf({ form, table }: FormedMessage, bytes: Uint8Array, depth: number): JsonValue | undefined {
  const fields = objectOf(table, bytes, depth + 1);
  switch (form) {
    case "time":
    case "microTime": {
      // An empty message is the zero time. Explicit zeros in both fields are 1970-01-01T00:00:00Z.
      if (bytes.length === 0) return undefined;
      const { seconds = 0, nanos = 0 } = fields;
      return formatProtobufTime(form === "time" ? "seconds" : "micros", Number(seconds), Number(nanos));
    }
    case "quantity":
      return fields["string"] ?? "0";
    case "intOrString": {
      const { type = 0, intVal = 0, strVal = "" } = fields;
      return type === 0 ? intVal : strVal;
    }
    case "value":
      return Object.values(fields).at(-1);
    default:
      return unreachable(form);
  }
}

/** Parses JSON text inside a message; undefined if it is empty. The error does not quote the text. */
function jsonOf(value: WireField): JsonValue | undefined {
  const text = textOf(value);
  if (text === "") return undefined;
  try {
    return parseJson(text, "int64");
  } catch (error) {
    if (error instanceof JsonError) throw new ProtobufError(`field ${value.number} is not JSON`);
    throw error;
  }
}

function isMessage(type: ProtobufValueType): type is MessageTable {
  return typeof type === "object" && !("form" in type);
}

function numberOf(type: "bool" | "int32" | "int64", varint: bigint): boolean | number | bigint {
  if (type === "bool") return varint !== 0n;
  if (type === "int32") return Number(BigInt.asIntN(32, varint));
  const exact = BigInt.asIntN(64, varint);
  const rounded = Number(exact);
  return Number.isSafeInteger(rounded) ? rounded : exact;
}

function doubleOf(value: WireField): number {
  if (value.type !== "fixed64") throw wrongType(value, "fixed64");
  const double = new Float64Array(BigUint64Array.of(value.value).buffer)[0] ?? 0;
  if (!Number.isFinite(double)) throw new ProtobufError(`field ${value.number} is a number that JSON does not have`);
  return double;
}

function textOf(value: WireField): string {
  // Bytes that are not UTF-8 are lone surrogates, which the check of all texts finds. Kubernetes would keep them.
  return decodeUtf8(bytesOf(value));
}

function varintOf(value: WireField): bigint {
  if (value.type !== "varint") throw wrongType(value, "varint");
  return value.value;
}

function bytesOf(value: WireField): Uint8Array {
  if (value.type !== "bytes") throw wrongType(value, "bytes");
  return value.value;
}

/**
 * Concatenates the parts of a message that occurs several times, which merges them (docs: Protocol Buffers Encoding).
 */
function joined(values: readonly WireField[]): Uint8Array {
  const [first] = values;
  return first !== undefined && values.length === 1 ? bytesOf(first) : Buffer.concat(values.map(bytesOf));
}

function wrongType(value: WireField, expected: string): ProtobufError {
  return new ProtobufError(`field ${value.number} has wire type ${value.type} where ${expected} is expected`);
}
