import type { Value } from "@bufbuild/cel-spec/cel/expr/value_pb.js";
import type { Registry } from "@bufbuild/protobuf";
import {
  CelDouble,
  CelError,
  CelTypeValue,
  CelUint,
  LiteralMap,
  equal,
  celError,
  intOf,
  isList,
  isMap,
  mapGet,
  mapKey,
  mapKeys,
  mapSize,
  opaqueType,
  toJson,
  typeName,
} from "../../../packages/core/src/cel/value/index.ts";
import type { CelValue, MapKey } from "../../../packages/core/src/cel/value/index.ts";
import { create } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import type { ProtobufReader } from "./protobuf-reader.ts";
import { StrongEnum } from "./strong-enum.ts";

/** Converts a value of the suite. */
export function suiteValue(value: Value | undefined, registry: Registry, reader: ProtobufReader): CelValue | CelError {
  const kind = value?.kind;
  switch (kind?.case) {
    case "nullValue":
      return null;
    case "boolValue":
    case "stringValue":
    case "bytesValue":
      return kind.value;
    case "int64Value":
      return intOf(kind.value);
    case "uint64Value":
      return new CelUint(kind.value);
    case "doubleValue":
      return new CelDouble(kind.value);
    case "typeValue":
      return new CelTypeValue(opaqueType(kind.value));
    case "enumValue": {
      const desc = registry.getEnum(kind.value.type);
      return desc === undefined ? celError(`no enum ${kind.value.type}`) : new StrongEnum(desc, kind.value.value);
    }
    case "objectValue":
      return reader.message(AnySchema, create(AnySchema, kind.value));
    case "listValue": {
      const items = kind.value.values.map((item) => suiteValue(item, registry, reader));
      return items.find((item) => item instanceof CelError) ?? (items as readonly CelValue[]); // no fault among them
    }
    case "mapValue": {
      const entries = new Map<MapKey, { readonly key: CelValue; readonly value: CelValue }>();
      for (const entry of kind.value.entries) {
        const key = suiteValue(entry.key, registry, reader);
        const item = suiteValue(entry.value, registry, reader);
        if (key instanceof CelError) return key;
        if (item instanceof CelError) return item;
        entries.set(mapKey(key) ?? "", { key, value: item });
      }
      return new LiteralMap(entries);
    }
    default:
      return celError("no value");
  }
}

/** Whether two values are equal including types: unlike with `==`, 1 is not 1.0, and NaN equals NaN. */
export function isSameValue(a: CelValue, b: CelValue): boolean {
  if (typeName(a) !== typeName(b)) return false;
  if (a instanceof CelDouble && b instanceof CelDouble) return Object.is(a.value, b.value) || a.value === b.value;
  if (isList(a) && isList(b))
    return a.length === b.length && a.every((item, index) => isSameValue(item, b[index] ?? null));
  const areObjects = typeof a === "object" && typeof b === "object" && a !== null && b !== null;
  if (areObjects && isMap(a) && isMap(b)) {
    return (
      mapSize(a) === mapSize(b) &&
      mapKeys(a).every((key) => {
        const normal = mapKey(key) ?? "";
        return isSameValue(mapGet(a, normal) ?? null, mapGet(b, normal) ?? null);
      })
    );
  }
  return equal(a, b);
}

/** Formats a value for a message. */
export function formatValue(value: CelValue): string {
  if (value instanceof CelDouble || value instanceof CelUint) return `${typeName(value)} ${value.value}`;
  if (isList(value)) return `[${value.map(formatValue).join(", ")}]`;
  return `${typeName(value)} ${JSON.stringify(toJson(value), (_, part: unknown) => (typeof part === "bigint" ? String(part) : part))}`;
}
