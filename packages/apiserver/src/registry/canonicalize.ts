import { formatQuantity, parseQuantity } from "@levelset/core/schema";
import type { Quantity, StructuralSchema } from "@levelset/core/schema";
import { formatRfc3339, mapJsonArray, mapJsonObject, parseRfc3339 } from "@levelset/core/internal";
import { isJsonObject, s } from "@levelset/core";
import { API_TYPES } from "../api-types/index.ts";

const MICRO_TIME = "meta.v1.MicroTime";

const QUANTITY = s.quantity().structural.pattern;

/** Invalid base64 in a field of type bytes. */
export class Base64Error extends Error {
  constructor(text: string) {
    // Offset of the first invalid or missing character.
    const padded = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)/u.exec(text)?.[0];
    const at = padded?.length ?? /[^A-Za-z0-9+/]/u.exec(text)?.index ?? text.length - (text.length % 4);
    super(`illegal base64 data at input byte ${at}`);
    this.name = "Base64Error";
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;

function checkedBytes(text: string): string {
  if (!BASE64.test(text)) throw new Base64Error(text);
  return text;
}

/** Invalid text in a field of type time. */
export class TimeError extends Error {
  constructor(text: string, precise: boolean) {
    const layout = precise ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
    const rest = precise ? /^[0-9-]{10}T[0-9:]{8}(?<rest>.*)$/u.exec(text)?.groups?.["rest"] : undefined;
    const [part, expected] = rest === undefined ? [text, "2006"] : [rest, ".000000"];
    super(
      `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(part)} as "${expected}"`,
    );
    this.name = "TimeError";
  }
}

/**
 * Returns a value of an API type in the form that decoding into Go types and encoding again produces: canonical
 * quantities and times, and no empty fields with `omitempty`. Throws `QuantityError`, `TimeError` or `Base64Error` for
 * invalid values.
 */
export function canonicalize(schema: StructuralSchema, value: unknown, type: string, isMapValue = false): unknown {
  if (isQuantitySchema(schema)) return canonicalQuantity(value, isMapValue);
  if (schema.format === "byte" && typeof value === "string") return checkedBytes(value);
  if (schema.format === "date-time" && typeof value === "string") return canonicalTime(value, type === MICRO_TIME);
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : mapJsonArray(value, (item) => canonicalize(items, item, type));
  }
  if (!isJsonObject(value)) return value;
  const fields = API_TYPES.properties(type);
  return mapJsonObject(value, (child, key) => {
    const field = fieldSchema(schema, key);
    if (field === undefined) return child;
    // Map keys are data; the type of a map is the type of its values.
    if (isMap(schema)) return canonicalize(field, child, type, true);
    const known = fields.get(key);
    const made = canonicalize(field, child, known?.type ?? "");
    const isOmitted = known?.marks.has("omitempty") === true && isZero(made);
    return schema.required?.includes(key) === true || !(isOmitted || isEmpty(field, made)) ? made : undefined;
  });
}

function isQuantitySchema(schema: StructuralSchema): boolean {
  return schema["x-kubernetes-int-or-string"] === true && schema.pattern === QUANTITY;
}

function canonicalQuantity(value: unknown, isResource: boolean): unknown {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") return value;
  const quantity = parseQuantity(String(value).trim());
  return formatQuantity(isResource ? roundedUp(quantity) : quantity);
}

const MILLI = -3;

/** Rounds up to thousandths, as `SetDefaults_ResourceList` does (`pkg/apis/core/v1/defaults.go`, Kubernetes 1.36). */
function roundedUp(quantity: Quantity): Quantity {
  const { unscaled, exponent } = quantity;
  if (exponent >= MILLI) return quantity;
  const divisor = 10n ** BigInt(MILLI - exponent);
  const rest = unscaled % divisor;
  const away = rest === 0n ? 0n : unscaled < 0n ? -1n : 1n;
  return { ...quantity, unscaled: unscaled / divisor + away, exponent: MILLI };
}

function canonicalTime(text: string, precise: boolean): string {
  const moment = parseRfc3339(text);
  const micros = /\.(?<digits>[0-9]{6})(?:Z|[+-][0-9:]{5})$/u.exec(text)?.groups?.["digits"];
  if (moment === undefined || (precise && micros === undefined)) throw new TimeError(text, precise);
  const seconds = formatRfc3339({ ...moment, nanos: 0 });
  return precise ? seconds.replace(/Z$/u, `.${micros}Z`) : seconds;
}

function fieldSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function isMap(schema: StructuralSchema): boolean {
  return schema.properties === undefined && schema.additionalProperties !== undefined;
}

function isZero(value: unknown): boolean {
  return value === false || value === 0 || value === "";
}

/** Empty lists and maps are omitted; empty objects are not. */
function isEmpty(schema: StructuralSchema, value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && typeof schema.additionalProperties === "object" && Object.keys(value).length === 0;
}
