import { ScalarType, create, fromJson, toJson } from "@bufbuild/protobuf";
import type { DescField, DescMessage, JsonValue, Message, Registry } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import {
  AnySchema,
  BoolValueSchema,
  BytesValueSchema,
  DoubleValueSchema,
  DurationSchema,
  Int64ValueSchema,
  ListValueSchema,
  StringValueSchema,
  StructSchema,
  TimestampSchema,
  UInt64ValueSchema,
  ValueSchema,
  anyPack,
} from "@bufbuild/protobuf/wkt";
import { encodeBase64 } from "@levelset/core/internal";
import {
  CelDouble,
  CelDuration,
  CelTimestamp,
  CelUint,
  celError,
  isInt,
  isList,
  isMap,
  mapGet,
  mapKey,
  mapKeys,
  typeName,
} from "../../../packages/core/src/cel/value/index.ts";
import type { CelError, CelValue } from "../../../packages/core/src/cel/value/index.ts";
import { CelMessage } from "./message.ts";
import { isWrapper } from "./protobuf-reader.ts";
import { StrongEnum } from "./strong-enum.ts";

/** A value that a field cannot hold. Thrown while a message is built, caught by {@link buildMessage}. */
class Unfit extends Error {
  override readonly name = "Unfit";
}

/** Returns a new message with these fields, or an error. */
export function buildMessage(
  desc: DescMessage,
  fields: ReadonlyMap<string, CelValue>,
  registry: Registry,
): Message | CelError {
  const reflected = reflect(desc, create(desc));
  try {
    for (const [name, value] of fields) {
      const field = desc.fields.find((each) => each.name === name);
      if (field === undefined) return celError(`no such field '${name}'`);
      const raw = fieldValue(field, value, registry);
      if (raw === undefined) continue;
      const listed = field.fieldKind === "list" || field.fieldKind === "map";
      if (listed) fill(reflected.get(field), raw);
      else reflected.set(field, raw);
    }
    return reflected.message;
  } catch (error) {
    if (error instanceof Unfit) return celError(error.message);
    if (error instanceof Error && error.name === "FieldError") return celError(`range error: ${error.message}`);
    throw error;
  }
}

function fill(target: unknown, raw: unknown): void {
  if (Array.isArray(raw)) {
    const list = target as { add(item: unknown): unknown }; // the field is a list
    for (const item of raw) list.add(item);
    return;
  }
  const map = target as { set(key: unknown, value: unknown): unknown }; // the field is a map
  for (const [key, value] of raw as ReadonlyMap<unknown, unknown>) map.set(key, value);
}

/** Returns the value for reflection; undefined to leave the field unset. */
function fieldValue(field: DescField, value: CelValue, registry: Registry): unknown {
  switch (field.fieldKind) {
    case "scalar":
      return scalar(field.scalar, value);
    case "enum":
      return enumNumber(field.enum.typeName, value);
    case "message":
      return messageField(field.message, value, registry);
    case "list":
      if (!isList(value)) throw new Unfit(`cannot set a list to ${typeName(value)}`);
      return value.map((item) => itemValue(field, item, registry));
    case "map": {
      if (value === null || typeof value !== "object" || !isMap(value)) throw new Unfit("cannot set a map");
      const entries = mapKeys(value).map((key): [unknown, unknown] => {
        return [scalar(field.mapKey, key), itemValue(field, mapGet(value, mapKey(key) ?? "") ?? null, registry)];
      });
      return new Map(entries);
    }
    default:
      return field satisfies never;
  }
}

function itemValue(field: DescField & { fieldKind: "list" | "map" }, value: CelValue, registry: Registry): unknown {
  if (field.message !== undefined) {
    const message = messageField(field.message, value, registry);
    if (message === undefined) throw new Unfit("null is not an element");
    return message;
  }
  if (field.enum !== undefined) return enumNumber(field.enum.typeName, value);
  return field.scalar === undefined ? undefined : scalar(field.scalar, value);
}

function enumNumber(type: string, value: CelValue): number {
  if (type === "google.protobuf.NullValue" && value === null) return 0;
  const number = value instanceof StrongEnum ? value.number : value;
  if (!isInt(number)) throw new Unfit(`cannot set an enum to ${typeName(value)}`);
  if (number > 2_147_483_647 || number < -2_147_483_648) throw new Unfit("enum value out of range");
  return Number(number);
}

const LARGE = new Set([
  ScalarType.INT64,
  ScalarType.SINT64,
  ScalarType.SFIXED64,
  ScalarType.UINT64,
  ScalarType.FIXED64,
]);
const UNSIGNED = new Set([ScalarType.UINT32, ScalarType.UINT64, ScalarType.FIXED32, ScalarType.FIXED64]);

function scalar(type: ScalarType, value: CelValue): unknown {
  const unfit = new Unfit(`cannot set a ${ScalarType[type]} field to ${typeName(value)}`);
  switch (type) {
    case ScalarType.BOOL:
      if (typeof value !== "boolean") throw unfit;
      return value;
    case ScalarType.STRING:
      if (typeof value !== "string") throw unfit;
      return value;
    case ScalarType.BYTES:
      if (!(value instanceof Uint8Array)) throw unfit;
      return value;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      if (!(value instanceof CelDouble)) throw unfit;
      return type === ScalarType.FLOAT ? Math.fround(value.value) : value.value;
    default: {
      const integer = UNSIGNED.has(type) ? (value instanceof CelUint ? value.value : undefined) : value;
      if (!isInt(integer)) throw unfit;
      return LARGE.has(type) ? BigInt(integer) : checked32(integer, UNSIGNED.has(type));
    }
  }
}

function checked32(integer: number | bigint, isUnsigned: boolean): number {
  const [min, max] = isUnsigned ? [0, 4_294_967_295] : [-2_147_483_648, 2_147_483_647];
  if (integer < min || integer > max) throw new Unfit("range error: the integer does not fit into 32 bits");
  return Number(integer);
}

function messageField(desc: DescMessage, value: CelValue, registry: Registry): unknown {
  const message = toMessage(desc, value, registry);
  return message === undefined ? undefined : reflect(desc, message);
}

/** Converts a value to a message of a type; undefined for a null that means unset. */
function toMessage(desc: DescMessage, value: CelValue, registry: Registry): Message | undefined {
  if (desc.typeName === "google.protobuf.Value") return fromJson(ValueSchema, toJsonValue(value, registry));
  if (desc.typeName === "google.protobuf.Any") return pack(value, registry);
  if (value === null) {
    if (/^google\.protobuf\.(?:Struct|ListValue)$/.test(desc.typeName)) throw new Unfit("unsupported field type: null");
    return undefined;
  }
  if (value instanceof CelMessage && value.desc.typeName === desc.typeName) return value.message;
  if (isWrapper(desc.typeName)) {
    const field = desc.fields[0];
    if (field?.fieldKind === "scalar") return Object.assign(create(desc), { value: scalar(field.scalar, value) });
  }
  if (desc.typeName === "google.protobuf.Timestamp" && value instanceof CelTimestamp) return timestamp(value);
  if (desc.typeName === "google.protobuf.Duration" && value instanceof CelDuration) return duration(value);
  if (desc.typeName === "google.protobuf.ListValue" && isList(value)) {
    return fromJson(ListValueSchema, toJsonValue(value, registry));
  }
  if (desc.typeName === "google.protobuf.Struct" && typeof value === "object" && isMap(value)) {
    return fromJson(StructSchema, toJsonValue(value, registry));
  }
  throw new Unfit(`cannot set a ${desc.typeName} to ${typeName(value)}`);
}

function timestamp({ seconds, nanos }: CelTimestamp): Message {
  return create(TimestampSchema, { seconds: BigInt(seconds), nanos });
}

function duration({ nanos }: CelDuration): Message {
  return create(DurationSchema, { seconds: nanos / 1_000_000_000n, nanos: Number(nanos % 1_000_000_000n) });
}

function pack(value: CelValue, registry: Registry): Message | undefined {
  if (value === null) return undefined;
  if (value instanceof CelMessage) return anyPack(value.desc, value.message);
  if (typeof value === "boolean") return anyPack(BoolValueSchema, create(BoolValueSchema, { value }));
  if (typeof value === "string") return anyPack(StringValueSchema, create(StringValueSchema, { value }));
  if (isInt(value)) return anyPack(Int64ValueSchema, create(Int64ValueSchema, { value: BigInt(value) }));
  if (value instanceof CelUint) return anyPack(UInt64ValueSchema, create(UInt64ValueSchema, { value: value.value }));
  if (value instanceof CelDouble) return anyPack(DoubleValueSchema, create(DoubleValueSchema, { value: value.value }));
  if (value instanceof Uint8Array) return anyPack(BytesValueSchema, create(BytesValueSchema, { value }));
  const [desc, message] = container(value, registry);
  return anyPack(desc, message);
}

function container(value: CelValue, registry: Registry): readonly [DescMessage, Message] {
  if (value instanceof CelTimestamp) return [TimestampSchema, timestamp(value)];
  if (value instanceof CelDuration) return [DurationSchema, duration(value)];
  if (isList(value)) return [ListValueSchema, fromJson(ListValueSchema, toJsonValue(value, registry))];
  if (typeof value === "object" && value !== null && isMap(value)) {
    return [StructSchema, fromJson(StructSchema, toJsonValue(value, registry))];
  }
  throw new Unfit(`cannot pack ${typeName(value)} into ${AnySchema.typeName}`);
}

/** Converts a value to protobuf JSON: integers beyond 53 bits are strings. */
function toJsonValue(value: CelValue, registry: Registry): JsonValue {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (isInt(value)) return typeof value === "bigint" ? String(value) : value;
  if (value instanceof CelUint) {
    return value.value > 9_007_199_254_740_991n ? String(value.value) : Number(value.value);
  }
  if (value instanceof CelDouble) return value.value;
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (value instanceof CelTimestamp || value instanceof CelDuration) return value.toString();
  if (isList(value)) return value.map((item) => toJsonValue(item, registry));
  if (value instanceof CelMessage) return toJson(value.desc, value.message, { registry });
  if (!isMap(value)) throw new Unfit(`${typeName(value)} is not JSON`);
  const entries = mapKeys(value).map((key): [string, JsonValue] => {
    if (typeof key !== "string") throw new Unfit("bad key type");
    return [key, toJsonValue(mapGet(value, key) ?? null, registry)];
  });
  return Object.fromEntries(entries);
}
