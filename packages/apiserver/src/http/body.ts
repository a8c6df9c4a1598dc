import { JsonError, parseJson, StatusError } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { badRequest } from "../registry/index.ts";

/** The largest body that is read, as with the real server. */
export const BODY_MAX_BYTES: number = 3 * 1024 * 1024;

/** The text of a body. Throws RequestEntityTooLarge before more than the limit is held. */
export async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > BODY_MAX_BYTES) throw tooLarge();
  if (request.body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > BODY_MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function tooLarge(): StatusError {
  return new StatusError("RequestEntityTooLarge", `Request entity too large: limit is ${BODY_MAX_BYTES}`);
}

/** The media type of a body, without parameters, in lower case. */
export function mediaTypeOf(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();
}

/** The body as JSON. Throws UnsupportedMediaType and BadRequest. */
export async function readJson(request: Request): Promise<JsonValue> {
  const type = mediaTypeOf(request);
  // Node gives a text body without a declared type text/plain.
  if (type !== "" && type !== "application/json" && type !== "text/plain") throw unsupported(type);
  return parseBody(await readText(request));
}

/** The body of a DELETE, which may be absent. */
export async function readOptions(request: Request): Promise<JsonValue | undefined> {
  const type = mediaTypeOf(request);
  const text = await readText(request);
  if (text === "") return undefined;
  if (type !== "" && type !== "application/json" && type !== "text/plain") throw unsupported(type);
  return parseBody(text);
}

function parseBody(text: string): JsonValue {
  try {
    return parseJson(text, "int64");
  } catch (error) {
    if (error instanceof JsonError) throw badRequest(`the object provided is unrecognized: ${error.message}`);
    throw error;
  }
}

function unsupported(type: string): StatusError {
  const known =
    type === "application/vnd.kubernetes.protobuf" ? "protobuf bodies are not supported by this server yet" : "";
  const message = known === "" ? "the body of the request was in an unknown format" : known;
  return new StatusError("UnsupportedMediaType", `${message} - accepted media types include: application/json`);
}
