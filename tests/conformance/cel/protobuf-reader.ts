import { ScalarType, create, isMessage } from "@bufbuild/protobuf";
import type { DescEnum, DescExtension, DescField, DescMessage, Message, Registry } from "@bufbuild/protobuf";
import { isReflectList, isReflectMap, isReflectMessage } from "@bufbuild/protobuf/reflect";
import { AnySchema, anyUnpack } from "@bufbuild/protobuf/wkt";
import type { Any, Duration, ListValue, Struct, Timestamp, Value } from "@bufbuild/protobuf/wkt";
import {
  CelDouble,
  CelDuration,
  CelError,
  CelTimestamp,
  CelUint,
  celError,
  intOf,
  mapKey,
  LiteralMap,
  stringMap,
} from "../../../packages/core/src/cel/value/index.ts";
import type { CelValue, MapKey } from "../../../packages/core/src/cel/value/index.ts";
import { CelMessage } from "./message.ts";
import { StrongEnum } from "./strong-enum.ts";

/** Whether enum members are plain ints or strongly typed. */
export type EnumMode = "int" | "strong";

const WRAPPER = /^google\.protobuf\.(?:Bool|Int32|Int64|UInt32|UInt64|Float|Double|String|Bytes)Value$/;

/** Whether a message type is a wrapper of a scalar that may be null. */
export function isWrapper(typeName: string): boolean {
  return WRAPPER.test(typeName);
}

/** Converts protobuf values to CEL values. */
export class ProtobufReader {
  readonly #registry: Registry;
  readonly #enums: EnumMode;

  constructor(registry: Registry, enums: EnumMode) {
    this.#registry = registry;
    this.#enums = enums;
  }

  /** Converts a scalar by its protobuf type. */
  scalar(type: ScalarType, raw: unknown): CelValue {
    if (typeof raw === "boolean" || typeof raw === "string") return raw;
    if (raw instanceof Uint8Array) return raw;
    const number = raw as number | bigint; // all other scalar types are numbers
    switch (type) {
      case ScalarType.UINT32:
      case ScalarType.UINT64:
      case ScalarType.FIXED32:
      case ScalarType.FIXED64:
        return new CelUint(BigInt(number));
      case ScalarType.DOUBLE:
      case ScalarType.FLOAT:
        return new CelDouble(Number(number));
      default:
        return intOf(BigInt(number));
    }
  }

  /** Converts an enum member. */
  enum(desc: DescEnum, number: number): CelValue {
    if (desc.typeName === "google.protobuf.NullValue") return null;
    return this.#enums === "strong" ? new StrongEnum(desc, number) : number;
  }

  /** Converts a field of a message, as returned by reflection or an extension. */
  readonly field = (field: DescField | DescExtension, raw: unknown, isSet: boolean): CelValue | CelError => {
    switch (field.fieldKind) {
      case "scalar":
        return this.scalar(field.scalar, raw);
      case "enum":
        return this.enum(field.enum, Number(raw));
      case "message":
        if (!isSet && (isWrapper(field.message.typeName) || field.message.typeName === "google.protobuf.Any"))
          return null;
        return this.message(
          field.message,
          isReflectMessage(raw) ? raw.message : isMessage(raw) ? raw : create(field.message),
        );
      case "list":
        return this.#list(field, raw);
      case "map":
        return this.#map(field, raw);
      default:
        return field satisfies never;
    }
  };

  #list(field: (DescField | DescExtension) & { fieldKind: "list" }, raw: unknown): CelValue | CelError {
    const items: unknown[] = isReflectList(raw) ? [...raw] : Array.isArray(raw) ? raw : [];
    return all(items.map((item) => this.#item(field, item)));
  }

  #item(field: (DescField | DescExtension) & { fieldKind: "list" | "map" }, raw: unknown): CelValue | CelError {
    const kind = field.fieldKind === "list" ? field.listKind : field.mapKind;
    if (kind === "scalar" && field.scalar !== undefined) return this.scalar(field.scalar, raw);
    if (kind === "enum" && field.enum !== undefined) return this.enum(field.enum, Number(raw));
    if (field.message === undefined) return celError("not a field");
    return this.message(field.message, isReflectMessage(raw) ? raw.message : (raw as Message)); // the kind says message
  }

  #map(field: DescField & { fieldKind: "map" }, raw: unknown): CelValue | CelError {
    const entries = new Map<MapKey, { readonly key: CelValue; readonly value: CelValue }>();
    if (!isReflectMap(raw)) return new LiteralMap(entries);
    for (const [rawKey, rawValue] of raw) {
      const key = this.scalar(field.mapKey, rawKey);
      const value = this.#item(field, rawValue);
      if (value instanceof CelError) return value;
      entries.set(mapKey(key) ?? "", { key, value });
    }
    return new LiteralMap(entries);
  }

  /** Converts a message; well-known types become native values. */
  message(desc: DescMessage, message: Message): CelValue | CelError {
    if (isWrapper(desc.typeName)) {
      const field = desc.fields[0];
      const { value } = message as Message & { value: unknown }; // every wrapper has one field of that name
      return field?.fieldKind === "scalar" ? this.scalar(field.scalar, value) : celError("not a wrapper");
    }
    switch (desc.typeName) {
      case "google.protobuf.Timestamp": {
        const { seconds, nanos } = message as Timestamp;
        return CelTimestamp.of(Number(seconds), nanos);
      }
      case "google.protobuf.Duration": {
        const { seconds, nanos } = message as Duration;
        return CelDuration.of(seconds * 1_000_000_000n + BigInt(nanos));
      }
      case "google.protobuf.Struct":
        return structValue(message as Struct);
      case "google.protobuf.ListValue":
        return listValue(message as ListValue);
      case "google.protobuf.Value":
        return jsonValue(message as Value);
      case "google.protobuf.Any":
        return this.#any(message as Any);
      default:
        return new CelMessage(desc, message, this.#registry, this.field);
    }
  }

  #any(any: Any): CelValue | CelError {
    if (any.typeUrl === "") return celError(`conversion error: an empty ${AnySchema.typeName}`);
    const message = anyUnpack(any, this.#registry);
    const desc = message === undefined ? undefined : this.#registry.getMessage(message.$typeName);
    if (message === undefined || desc === undefined) return celError(`unknown type ${any.typeUrl}`);
    return this.message(desc, message);
  }
}

function all(items: readonly (CelValue | CelError)[]): CelValue | CelError {
  const values: CelValue[] = [];
  for (const item of items) {
    if (item instanceof CelError) return item;
    values.push(item);
  }
  return values;
}

function structValue({ fields }: Struct): CelValue {
  return stringMap(Object.entries(fields).map(([name, value]): [string, CelValue] => [name, jsonValue(value)]));
}

function listValue({ values }: ListValue): CelValue {
  return values.map(jsonValue);
}

function jsonValue({ kind }: Value): CelValue {
  switch (kind.case) {
    case "boolValue":
    case "stringValue":
      return kind.value;
    case "numberValue":
      return new CelDouble(kind.value);
    case "structValue":
      return structValue(kind.value);
    case "listValue":
      return listValue(kind.value);
    default:
      return null;
  }
}
