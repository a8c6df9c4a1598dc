import { isJsonObject } from "@levelset/core";
import { JsonError, parseJson, stringifyJson } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";
import { InvalidEventError } from "./broker-errors.ts";
import type { EventFieldError } from "./broker-errors.ts";

/** The content type of an event in structured JSON mode. */
export const EVENT_CONTENT_TYPE: string = "application/cloudevents+json; charset=utf-8";
/** The maximum encoded size of an event. Every supported broker accepts it together with its own headers. */
export const EVENT_BYTES_MAX: number = 512 * 1024;

/** A CloudEvents 1.0 event. Attributes beyond the named ones are extensions: strings, booleans and 32-bit integers. */
export interface CloudEvent {
  readonly specversion: "1.0";
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  /** RFC 3339. */
  readonly time?: string;
  readonly datacontenttype?: string;
  readonly dataschema?: string;
  /** The W3C trace context of the publisher. */
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** The ordering key: in a fleet, the resource ID. */
  readonly partitionkey?: string;
  readonly data?: JsonValue;
  readonly data_base64?: string;
  readonly [extension: string]: JsonValue | undefined;
}

/** Validates an attribute's value. Returns undefined if it is valid, otherwise what is expected. */
type Rule = (value: JsonValue) => string | undefined;

const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/u;
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/u;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;
const EXTENSION_NAME = /^[a-z0-9]+$/u;
const DATA = new Set(["data", "data_base64"]);
const REQUIRED = ["specversion", "id", "source", "type"];

const text: Rule = (value) => (typeof value === "string" && value !== "" ? undefined : "must be a non-empty string");
const uri: Rule = (value) =>
  typeof value === "string" && /^[^\s]+$/u.test(value) ? undefined : "must be a non-empty URI reference";
const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["specversion", (value) => (value === "1.0" ? undefined : 'must be "1.0"')],
  ["id", text],
  ["source", uri],
  ["type", text],
  ["subject", text],
  ["time", (value) => (isTime(value) ? undefined : "must be an RFC 3339 timestamp")],
  ["datacontenttype", text],
  ["dataschema", uri],
  ["partitionkey", text],
  ["data_base64", (value) => (typeof value === "string" && BASE64.test(value) ? undefined : "must be base64")],
]);

/**
 * Parses an event in structured JSON mode. Throws `InvalidEventError` that names every invalid attribute. Null
 * attributes count as absent (CloudEvents JSON event format); integers of any size in `data` stay exact.
 */
export function parseCloudEvent(body: Uint8Array): CloudEvent {
  if (body.byteLength > EVENT_BYTES_MAX) throw eventError(`is longer than ${EVENT_BYTES_MAX} bytes`);
  return checkEvent(parseBody(body));
}

/**
 * Encodes an event in structured JSON mode. Throws `InvalidEventError` for an event that `parseCloudEvent` would
 * refuse.
 */
export function encodeCloudEvent(event: CloudEvent): Uint8Array {
  const checked = checkEvent(event);
  const body = new TextEncoder().encode(stringifyJson(checked));
  if (body.byteLength > EVENT_BYTES_MAX) throw eventError(`is longer than ${EVENT_BYTES_MAX} bytes`);
  return body;
}

/**
 * Returns the ordering key of an event: `partitionkey`, else `subject`, else `data.id`, which is the resource in events
 * of publishers that set no key. Undefined if there is none: the event is unordered.
 */
export function eventKeyOf(event: CloudEvent): string | undefined {
  if (event.partitionkey !== undefined) return event.partitionkey;
  if (event.subject !== undefined) return event.subject;
  const id = isJsonObject(event.data) && Object.hasOwn(event.data, "id") ? event.data["id"] : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/**
 * Returns the W3C trace context of an event, as the parent of the handler's spans. Undefined if it is absent or
 * invalid.
 */
export function traceContextOf(
  event: CloudEvent,
): { readonly traceparent: string; readonly tracestate: string | undefined } | undefined {
  const { traceparent, tracestate } = event;
  if (typeof traceparent !== "string" || !TRACEPARENT.test(traceparent)) return undefined;
  return { traceparent, tracestate: typeof tracestate === "string" ? tracestate : undefined };
}

function parseBody(body: Uint8Array): JsonValue {
  let json: string;
  try {
    json = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw eventError("is not UTF-8");
  }
  try {
    return parseJson(json);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw eventError(error.message);
  }
}

function checkEvent(value: JsonValue | CloudEvent): CloudEvent {
  if (!isJsonObject(value)) throw eventError("must be a JSON object");
  const event: JsonObject = Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      return member === undefined || (member === null && !DATA.has(name)) ? [] : [[name, member]];
    }),
  );
  const faults = [
    ...REQUIRED.filter((name) => !Object.hasOwn(event, name)).map((field) => ({ field, message: "is missing" })),
    ...Object.entries(event).flatMap(([field, member]) => faultOf(field, member)),
  ];
  if (Object.hasOwn(event, "data") && Object.hasOwn(event, "data_base64"))
    faults.push({ field: "data_base64", message: "must not be combined with data" });
  if (faults.length > 0) throw new InvalidEventError(faults);
  return event as CloudEvent; // all attributes have been validated above
}

function faultOf(field: string, value: JsonValue): readonly EventFieldError[] {
  if (field === "data") return [];
  const rule = RULES.get(field) ?? extension;
  const message = RULES.has(field) || EXTENSION_NAME.test(field) ? rule(value) : "must be named with a–z and 0–9 only";
  return message === undefined ? [] : [{ field, message }];
}

function extension(value: JsonValue): string | undefined {
  if (typeof value === "string" || typeof value === "boolean") return undefined;
  const isInt32 = typeof value === "number" && Number.isInteger(value) && (value | 0) === value;
  return isInt32 ? undefined : "must be a string, a boolean or a 32-bit integer";
}

function isTime(value: JsonValue): boolean {
  return typeof value === "string" && RFC3339.test(value) && !Number.isNaN(Date.parse(value));
}

function eventError(message: string): InvalidEventError {
  return new InvalidEventError([{ field: "", message }]);
}
