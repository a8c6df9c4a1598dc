import { JsonError, parseJson, StatusError } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { ProtobufError, readProtobuf } from "../protobuf/index.ts";
import type { Reading } from "../protobuf/index.ts";
import { badRequest } from "../registry/index.ts";

/** The largest body that is read, as with the real server. */
export const BODY_MAX_BYTES: number = 3 * 1024 * 1024;

const UNKNOWN_FORMAT = "the body of the request was in an unknown format";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
/** Node gives a text body without a declared type text/plain. */
const JSON_TYPES: ReadonlySet<string> = new Set(["", "application/json", "text/plain"]);

/** The text of a body. Throws RequestEntityTooLarge before more than the limit is held. */
export async function readText(request: Request): Promise<string> {
  return (await readBytes(request)).toString("utf8");
}

async function readBytes(request: Request): Promise<Buffer> {
  if (Number(request.headers.get("content-length") ?? 0) > BODY_MAX_BYTES) throw tooLarge();
  if (request.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > BODY_MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): StatusError {
  return new StatusError("RequestEntityTooLarge", `Request entity too large: limit is ${BODY_MAX_BYTES}`);
}

/** The media type of a body, without parameters, in lower case. */
export function mediaTypeOf(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();
}

/** The body as JSON, whether it came as such or in protobuf. Throws UnsupportedMediaType and BadRequest. */
export async function readJson(request: Request): Promise<JsonValue> {
  const type = mediaTypeOf(request);
  if (type !== PROTOBUF && !JSON_TYPES.has(type)) throw unsupported(UNKNOWN_FORMAT);
  const body = await readBytes(request);
  return type === PROTOBUF ? parseProtobuf(body) : parseBody(body.toString("utf8"));
}

/** The body of a DELETE, which may be absent. */
export async function readOptions(request: Request): Promise<JsonValue | undefined> {
  const type = mediaTypeOf(request);
  const body = await readBytes(request);
  if (body.length === 0) return undefined;
  if (type === PROTOBUF) return parseProtobuf(body);
  if (!JSON_TYPES.has(type)) throw unsupported(UNKNOWN_FORMAT);
  return parseBody(body.toString("utf8"));
}

function parseBody(text: string): JsonValue {
  try {
    return parseJson(text, "int64");
  } catch (error) {
    if (error instanceof JsonError) throw badRequest(`the object provided is unrecognized: ${error.message}`);
    throw error;
  }
}

function parseProtobuf(body: Uint8Array): JsonValue {
  const reading = decode(body);
  if (reading.kind === "object") return reading.object;
  const { objectKind, apiVersion } = reading;
  throw unsupported(`${objectKind} in version ${JSON.stringify(apiVersion)} is not read from protobuf`);
}

function decode(body: Uint8Array): Reading {
  try {
    return readProtobuf(body);
  } catch (error) {
    if (error instanceof ProtobufError)
      throw badRequest(`the object provided is unrecognized: protobuf: ${error.message}`);
    throw error;
  }
}

function unsupported(message: string): StatusError {
  return new StatusError("UnsupportedMediaType", `${message} - accepted media types include: application/json`);
}
