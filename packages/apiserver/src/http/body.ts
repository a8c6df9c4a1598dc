import { Readable } from "node:stream";
import { decodeUtf8, JsonError, parseJson, repeatedFields, StatusError } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import type { Reading } from "../protobuf/index.ts";
import { badRequest, checkJsonText, checkText } from "../registry/index.ts";
import { fromYaml } from "./configuration.ts";
import type { ApiRequest } from "./exchange.ts";

/** The largest body that is read, as with the real server. */
const BODY_MAX_BYTES: number = 3 * 1024 * 1024;

const UNKNOWN_FORMAT = "the body of the request was in an unknown format";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const YAML = "application/yaml";
const ACCEPTED = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const JSON_TYPES: ReadonlySet<string> = new Set(["", "application/json"]);
/** What `fetch` calls a text body whose type nobody declared. */
const UNDECLARED = "text/plain;charset=UTF-8";

/** The text of a body; bytes that are not UTF-8 are lone surrogates. Throws RequestEntityTooLarge before more than the limit is held. */
export async function readText(request: ApiRequest): Promise<string> {
  return decodeUtf8(await readBytes(request));
}

async function readBytes(request: ApiRequest): Promise<Buffer> {
  if (Number(request.headers.get("content-length") ?? 0) > BODY_MAX_BYTES) throw tooLarge();
  if (request.body === null) return Buffer.alloc(0);
  if (request.body instanceof Readable) return readStream(request.body);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > BODY_MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * The same for a stream of Node, whose events cost a fraction of its iterator. What is left of a stream that is too large is not read.
 * A stream may outlive its request by far, so it must not keep what was read.
 */
function readStream(stream: Readable): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const settle = (conclude: () => void): void => {
    stream.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
    conclude();
  };
  const onData = (chunk: Uint8Array): void => {
    size += chunk.byteLength;
    chunks.push(chunk);
    if (size <= BODY_MAX_BYTES) return;
    stream.pause();
    settle(() => reject(tooLarge()));
  };
  const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks)));
  const onError = (error: Error): void => settle(() => reject(error));
  // Nobody waits for the answer to a request that never ended.
  const onClose = (): void => settle(() => reject(new DOMException("the request was aborted", "AbortError")));
  if (stream.closed) onClose();
  else stream.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
  return promise;
}

function tooLarge(): StatusError {
  return new StatusError("RequestEntityTooLarge", `Request entity too large: limit is ${BODY_MAX_BYTES}`);
}

/** The media type of a body, without parameters, in lower case. */
export function mediaTypeOf(request: ApiRequest): string {
  const given = request.headers.get("content-type") ?? "";
  return given === UNDECLARED ? "" : given.split(";", 1).join("").trim().toLowerCase();
}

/** The body as JSON, whether it came as such, in YAML or in protobuf. Throws UnsupportedMediaType and BadRequest. */
export async function readJson(request: ApiRequest): Promise<JsonValue> {
  const type = mediaTypeOf(request);
  checkType(type);
  return parse(type, await readBytes(request));
}

/** An object that a writer sends. */
export interface SentObject {
  readonly value: JsonValue;
  /** Paths of fields that the text had more than once: the last value counted. */
  readonly repeated: readonly string[];
}

/** The same with what a reader of JSON cannot see any more. Protobuf and YAML have nothing of that sort. */
export async function readObject(request: ApiRequest): Promise<SentObject> {
  const type = mediaTypeOf(request);
  checkType(type);
  const bytes = await readBytes(request);
  if (!JSON_TYPES.has(type)) return { value: await parse(type, bytes), repeated: [] };
  const text = decodeUtf8(bytes);
  return { value: parseBody(text), repeated: repeatedFields(text) };
}

/** The body of a DELETE, which may be absent. */
export async function readOptions(request: ApiRequest): Promise<JsonValue | undefined> {
  const type = mediaTypeOf(request);
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
  return type === YAML ? (fromYaml(text) ?? null) : parseBody(text);
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
    if (error instanceof JsonError) throw badRequest(`the object provided is unrecognized: ${error.message}`);
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

async function decode(body: Uint8Array): Promise<Reading> {
  // Not every client sends it, and nobody should wait for it at the start.
  const { ProtobufError, readProtobuf } = await import("../protobuf/index.ts");
  try {
    return readProtobuf(body);
  } catch (error) {
    if (error instanceof ProtobufError)
      throw badRequest(`the object provided is unrecognized: protobuf: ${error.message}`);
    throw error;
  }
}

function unsupported(message: string): StatusError {
  return new StatusError("UnsupportedMediaType", `${message} - accepted media types include: ${ACCEPTED}`);
}
