import { decodeBase64, encodeBase64 } from "../../json/index.ts";
import type { JsonObject, JsonValue } from "../../json/index.ts";
import { CelError } from "./cel-error.ts";
import { INT_MAX, INT_MIN, intOf, isInt } from "./int.ts";
import { isList } from "./type-of.ts";
import { CelMap, isMap, mapGet, mapKey, mapKeys } from "./map.ts";
import type { MapKey } from "./map.ts";
import { CelDouble, CelUint } from "./number.ts";
import { CelObject } from "./object.ts";
import { CelOptional } from "./optional.ts";
import { PartsCostTracker } from "./eval-cancelled.ts";
import type { CostTracker } from "./eval-cancelled.ts";
import { CelDuration, CelTimestamp, parseDuration, parseTimestamp } from "./time.ts";
import { CelTypeValue } from "./type-value.ts";
import { CEL_DYN } from "./type.ts";
import type { CelField, CelType } from "./type.ts";
import type { CelValue } from "./value.ts";

/**
 * Converts JSON data without a schema to a CEL value. An integer is an int, as for unstructured data in Kubernetes
 * (k8s.io/apimachinery/pkg/util/json/json.go). Any other number is a double, as are integers beyond 64 bits, and
 * numbers beyond 53 bits that are not bigints and may have been rounded. Other data and CEL values are returned
 * unchanged.
 */
export function nativeToValue(value: CelValue): CelValue {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : new CelDouble(value);
  if (typeof value !== "bigint") return value;
  return value >= INT_MIN && value <= INT_MAX ? intOf(value) : new CelDouble(Number(value));
}

/**
 * Converts JSON data to a value of a declared type: `number` fields are doubles even if they are integral; strings of
 * the formats date-time, duration and byte are timestamps, durations and bytes. Data that does not match its type, and
 * CEL values, are returned unchanged. Members of objects are converted lazily, lists at once, both only if their type
 * needs it.
 */
export function fromJson(value: CelValue, type: CelType = CEL_DYN): CelValue {
  if (value === null || !needsAdapting(type)) return nativeToValue(value);
  switch (type.kind) {
    case "double":
      return isInt(value) ? new CelDouble(Number(value)) : value;
    case "timestamp":
      return typeof value === "string"
        ? orText(parseTimestamp(DATE.test(value) ? `${value}T00:00:00Z` : value), value)
        : value;
    case "duration":
      return typeof value === "string" ? orText(parseDuration(value), value) : value;
    case "bytes":
      return typeof value === "string" ? (decodeBase64(value) ?? value) : value;
    case "wrapper":
      return fromJson(value, type.of);
    case "list":
      return isList(value) ? value.map((item) => fromJson(item, type.element)) : nativeToValue(value);
    case "map":
    case "struct":
      return isMap(value) && !(value instanceof CelMap) ? new TypedJsonMap(value, type) : nativeToValue(value);
    default:
      return nativeToValue(value);
  }
}

/** The format `date` has no time of day. */
const DATE = /^\d{4}-\d\d-\d\d$/;

function orText(parsed: CelValue | CelError, text: string): CelValue {
  return parsed instanceof CelError ? text : parsed;
}

const NEEDS = new WeakMap<CelType, boolean>();

/** Returns whether values of a type, or parts of them, have another representation than in JSON. */
function needsAdapting(type: CelType): boolean {
  const known = NEEDS.get(type);
  if (known !== undefined) return known;
  const needs = evaluate(type);
  NEEDS.set(type, needs);
  return needs;
}

function evaluate(type: CelType): boolean {
  switch (type.kind) {
    case "double":
    case "timestamp":
    case "duration":
    case "bytes":
      return true;
    case "wrapper":
      return needsAdapting(type.of);
    case "list":
      return needsAdapting(type.element);
    case "map":
      return needsAdapting(type.value);
    case "struct":
      return [...(type.fields?.values() ?? [])].some(
        (field: CelField) => field.key !== undefined || needsAdapting(field.type),
      );
    default:
      return false;
  }
}

/** A JSON object whose members have declared types. Each member is converted once, when it is first read. */
class TypedJsonMap extends CelMap {
  readonly #data: JsonObject;
  readonly #type: CelType;
  readonly #read = new Map<string, CelValue>();

  constructor(data: JsonObject, type: CelType) {
    super();
    this.#data = data;
    this.#type = type;
  }

  get size(): number {
    return Object.keys(this.#data).length;
  }

  get(key: MapKey): CelValue | undefined {
    if (typeof key !== "string") return undefined;
    const read = this.#read.get(key);
    if (read !== undefined) return read;
    const field = this.#field(key);
    const name = field?.key ?? key;
    const raw = Object.hasOwn(this.#data, name) ? this.#data[name] : undefined;
    if (raw === undefined) return undefined;
    const value = fromJson(raw, field?.type);
    this.#read.set(key, value);
    return value;
  }

  keys(): readonly CelValue[] {
    return Object.keys(this.#data);
  }

  #field(name: string): CelField | undefined {
    if (this.#type.kind === "map") return { type: this.#type.value };
    return this.#type.kind === "struct" ? this.#type.fields?.get(name) : undefined;
  }
}

function keyText(key: CelValue): string {
  return String(mapKey(key));
}

/**
 * Converts a value to JSON: bytes to base64, times to strings, maps to objects with string keys, empty optionals to
 * null. Throws an `EvalCancelledError` beyond a million parts, because a small program can create a huge value with
 * shared parts.
 */
export function toJson(value: CelValue): JsonValue {
  return write(value, new PartsCostTracker());
}

function write(value: CelValue, meter: CostTracker): JsonValue {
  meter.spend(1);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map((item) => write(item, meter));
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (value instanceof CelDouble) return Number.isFinite(value.value) ? value.value : String(value.value);
  if (value instanceof CelUint) return intOf(value.value);
  if (value instanceof CelTimestamp || value instanceof CelDuration) return value.toString();
  if (value instanceof CelTypeValue) return value.name;
  if (value instanceof CelOptional) return value.value === undefined ? null : write(value.value, meter);
  if (value instanceof CelObject && !isMap(value)) return value.toString();
  const entries = mapKeys(value).map((key): [string, JsonValue] => {
    const member = mapGet(value, mapKey(key) ?? "");
    return [keyText(key), member === undefined ? null : write(member, meter)];
  });
  return Object.fromEntries(entries);
}
