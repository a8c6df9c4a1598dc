import type { DescExtension, DescField, DescMessage, Registry } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import {
  CEL_BOOL,
  CEL_BYTES,
  CEL_DOUBLE,
  CEL_DURATION,
  CEL_DYN,
  CEL_INT,
  CEL_NULL,
  CEL_STRING,
  CEL_TIMESTAMP,
  CEL_UINT,
  CelError,
  celError,
  listType,
  mapType,
  opaqueType,
  structType,
  wrapperType,
} from "../../../packages/core/src/cel/value/index.ts";
import type { CelTypeProvider } from "../../../packages/core/src/cel/index.ts";
import type { CelType, CelValue } from "../../../packages/core/src/cel/value/index.ts";
import { ProtobufReader } from "./protobuf-reader.ts";
import type { EnumMode } from "./protobuf-reader.ts";
import { buildMessage } from "./build-message.ts";

const WELL_KNOWN: ReadonlyMap<string, CelType> = new Map([
  ["BoolValue", wrapperType(CEL_BOOL)],
  ["Int32Value", wrapperType(CEL_INT)],
  ["Int64Value", wrapperType(CEL_INT)],
  ["UInt32Value", wrapperType(CEL_UINT)],
  ["UInt64Value", wrapperType(CEL_UINT)],
  ["FloatValue", wrapperType(CEL_DOUBLE)],
  ["DoubleValue", wrapperType(CEL_DOUBLE)],
  ["StringValue", wrapperType(CEL_STRING)],
  ["BytesValue", wrapperType(CEL_BYTES)],
  ["Timestamp", CEL_TIMESTAMP],
  ["Duration", CEL_DURATION],
  ["Struct", mapType(CEL_STRING, CEL_DYN)],
  ["ListValue", listType(CEL_DYN)],
  ["Value", CEL_DYN],
  ["Any", CEL_DYN],
]);

/** The types of a protobuf registry. Used by the conformance suite only: the product has no messages. */
export class ProtobufTypes implements CelTypeProvider {
  readonly #registry: Registry;
  readonly #enums: EnumMode;
  readonly reader: ProtobufReader;

  constructor(registry: Registry, enums: EnumMode) {
    this.#registry = registry;
    this.#enums = enums;
    this.reader = new ProtobufReader(registry, enums);
  }

  findType(name: string): CelType | undefined {
    const desc = this.#registry.getMessage(name);
    if (desc !== undefined) return messageType(desc);
    if (this.#enums === "int") return undefined;
    const found = this.#registry.getEnum(name);
    return found === undefined ? undefined : opaqueType(found.typeName);
  }

  findConstant(name: string): { readonly type: CelType; readonly value: CelValue } | undefined {
    const dot = name.lastIndexOf(".");
    const desc = dot === -1 ? undefined : this.#registry.getEnum(name.slice(0, dot));
    const member = desc?.values.find((value) => value.name === name.slice(dot + 1));
    if (desc === undefined || member === undefined) return undefined;
    return { type: this.#enumType(desc.typeName), value: this.reader.enum(desc, member.number) };
  }

  findField(type: string, field: string): CelType | undefined {
    const desc = this.#registry.getMessage(type);
    const own = desc?.fields.find((each) => each.name === field);
    if (own !== undefined) return this.#fieldType(own);
    const extension = field.includes(".") ? this.#registry.getExtension(field) : undefined;
    return extension?.extendee.typeName === type ? this.#fieldType(extension) : undefined;
  }

  create(type: string, fields: ReadonlyMap<string, CelValue>): CelValue | CelError {
    const desc = this.#registry.getMessage(type);
    if (desc === undefined) return celError(`unknown type: '${type}'`);
    const message = buildMessage(desc, fields, this.#registry);
    return message instanceof CelError ? message : this.reader.message(desc, message);
  }

  #enumType(name: string): CelType {
    if (name === "google.protobuf.NullValue") return CEL_NULL;
    return this.#enums === "strong" ? opaqueType(name) : CEL_INT;
  }

  #fieldType(field: DescField | DescExtension): CelType {
    switch (field.fieldKind) {
      case "scalar":
        return scalarType(field.scalar);
      case "enum":
        return this.#enumType(field.enum.typeName);
      case "message":
        return messageType(field.message);
      case "list":
        return listType(this.#itemType(field));
      case "map":
        return mapType(scalarType(field.mapKey), this.#itemType(field));
      default:
        return field satisfies never;
    }
  }

  #itemType({ message, enum: desc, scalar }: (DescField | DescExtension) & { fieldKind: "list" | "map" }): CelType {
    if (message !== undefined) return messageType(message);
    if (desc !== undefined) return this.#enumType(desc.typeName);
    return scalar === undefined ? CEL_DYN : scalarType(scalar);
  }
}

function messageType({ typeName }: DescMessage): CelType {
  const known = typeName.startsWith("google.protobuf.") ? WELL_KNOWN.get(typeName.slice(16)) : undefined;
  return known ?? structType(typeName);
}

function scalarType(scalar: ScalarType): CelType {
  switch (scalar) {
    case ScalarType.BOOL:
      return CEL_BOOL;
    case ScalarType.STRING:
      return CEL_STRING;
    case ScalarType.BYTES:
      return CEL_BYTES;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return CEL_DOUBLE;
    case ScalarType.UINT32:
    case ScalarType.UINT64:
    case ScalarType.FIXED32:
    case ScalarType.FIXED64:
      return CEL_UINT;
    default:
      return CEL_INT;
  }
}
