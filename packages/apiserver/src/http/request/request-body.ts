import { decodeUtf8, JsonError, parseJson, duplicateFields } from "@levelset/core/internal";
import { StatusError } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import type { DecodeObjectResult } from "../../protobuf/index.ts";
import { badRequestError } from "../../resource/index.ts";
import { checkJsonText, checkText } from "../../registry/index.ts";
import { parseYamlBody } from "./apply-configuration.ts";
import type { ApiRequest } from "./api-request.ts";
import { BodyTooLargeError, readBody } from "@levelset/core/http";

/** Maximum body size, as in `k8s.io/apiserver/pkg/server/config.go` (Kubernetes 1.36). */
const BODY_MAX_BYTES: number = 3 * 1024 * 1024;

const UNKNOWN_FORMAT = "the body of the request was in an unknown format";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const YAML = "application/yaml";
const ACCEPTED = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const JSON_TYPES: ReadonlySet<string> = new Set(["", "application/json"]);
/** The content type that `fetch` sets for a text body without one. */
const UNDECLARED = "text/plain;charset=UTF-8";

/**
 * Returns the text of a body; bytes that are not UTF-8 become lone surrogates. Throws RequestEntityTooLarge before it
 * buffers more than the limit.
 */
export async function readBodyText(request: ApiRequest): Promise<string> {
  return decodeUtf8(await readBytes(request));
}

async function readBytes(request: ApiRequest): Promise<Buffer> {
  try {
    return await readBody(request, BODY_MAX_BYTES);
  } catch (error) {
    throw error instanceof BodyTooLargeError ? tooLarge() : error;
  }
}

function tooLarge(): StatusError {
  return new StatusError("RequestEntityTooLarge", `Request entity too large: limit is ${BODY_MAX_BYTES}`);
}

/** Returns the media type of a body without parameters, in lower case. */
export function contentTypeOf(request: ApiRequest): string {
  const given = request.headers.get("content-type") ?? "";
  return given === UNDECLARED ? "" : given.split(";", 1).join("").trim().toLowerCase();
}

/** Reads a JSON, YAML or protobuf body as JSON. Throws UnsupportedMediaType and BadRequest. */
export async function readJsonBody(request: ApiRequest): Promise<JsonValue> {
  const type = contentTypeOf(request);
  checkType(type);
  return parse(type, await readBytes(request));
}

/** An object of a request body. */
export interface RequestObject {
  readonly value: JsonValue;
  /** Paths of duplicate fields. The last value wins. */
  readonly duplicateFields: readonly string[];
}

/**
 * Reads a body like {@link readJsonBody} and reports duplicate JSON fields. Protobuf and YAML bodies cannot have any.
 */
export async function readObjectBody(request: ApiRequest): Promise<RequestObject> {
  const type = contentTypeOf(request);
  checkType(type);
  const bytes = await readBytes(request);
  if (!JSON_TYPES.has(type)) return { value: await parse(type, bytes), duplicateFields: [] };
  const text = decodeUtf8(bytes);
  return { value: parseBody(text), duplicateFields: duplicateFields(text) };
}

/** Reads the optional body of a DELETE. */
export async function readDeleteOptionsBody(request: ApiRequest): Promise<JsonValue | undefined> {
  const type = contentTypeOf(request);
  const body = await readBytes(request);
  if (body.length === 0) return undefined;
  checkType(type);
  return parse(type, body);
}

function checkType(type: string): void {
  if (type !== PROTOBUF && type !== YAML && !JSON_TYPES.has(type)) throw unsupported(UNKNOWN_FORMAT);
}

async function parse(type: string, body: Buffer): Promise<JsonValue> {
  if (type === PROTOBUF) return parseProtobuf(body);
  const text = decodeUtf8(body);
  return type === YAML ? (parseYamlBody(text) ?? null) : parseBody(text);
}

function parseBody(text: string): JsonValue {
  const value = parsed(text);
  checkJsonText(value, text);
  return value;
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text, "int64");
  } catch (error) {
    if (error instanceof JsonError) throw badRequestError(`the object provided is unrecognized: ${error.message}`);
    throw error;
  }
}

async function parseProtobuf(body: Uint8Array): Promise<JsonValue> {
  const reading = await decode(body);
  if (reading.kind === "object") {
    checkText(reading.object);
    return reading.object;
  }
  const { objectKind, apiVersion } = reading;
  throw unsupported(`${objectKind} in version ${JSON.stringify(apiVersion)} is not read from protobuf`);
}

async function decode(body: Uint8Array): Promise<DecodeObjectResult> {
  // Loaded on first use to keep startup fast.
  const { ProtobufError, decodeProtobuf } = await import("../../protobuf/index.ts");
  try {
    return decodeProtobuf(body);
  } catch (error) {
    if (error instanceof ProtobufError)
      throw badRequestError(`the object provided is unrecognized: protobuf: ${error.message}`);
    throw error;
  }
}

function unsupported(message: string): StatusError {
  return new StatusError("UnsupportedMediaType", `${message} - accepted media types include: ${ACCEPTED}`);
}
