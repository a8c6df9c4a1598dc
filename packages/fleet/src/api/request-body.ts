import { decodeUtf8, JsonError, parseJson, textErrors } from "@levelset/core/internal";
import type { JsonValue } from "@levelset/core";
import { BodyTooLargeError, readBody } from "@levelset/core/http";
import type { HttpRequest } from "@levelset/core/http";
import { HttpProblem } from "./http-problem.ts";

/** A body as text and parsed. */
export interface RequestBody {
  readonly text: string;
  readonly json: JsonValue;
}

/**
 * Reads the body of a request. Accepts any content type, because clients often send curl's default, except from web
 * pages: a cross-site request that a page can send without CORS preflight never has a JSON content type. Throws an
 * `HttpProblem`.
 */
export async function readJsonBody(request: HttpRequest, bytesMax: number): Promise<RequestBody> {
  checkHeaders(request);
  const text = decode(await bytesOf(request, bytesMax));
  if (text.trim() === "") throw new HttpProblem("VAL-006", "the body is empty: send JSON");
  const json = parse(text);
  checkText(json, text);
  return { text, json };
}

function checkHeaders({ headers }: HttpRequest): void {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new HttpProblem("VAL-009", "bodies must be sent without content-encoding");
  }
  const type = (headers.get("content-type") ?? "").toLowerCase();
  if (headers.get("origin") !== null && !/^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/.test(type)) {
    throw new HttpProblem("VAL-009", "a web page must send application/json");
  }
}

async function bytesOf(request: HttpRequest, bytesMax: number): Promise<Uint8Array> {
  try {
    return await readBody(request, bytesMax);
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw new HttpProblem("LMT-002", error.message);
    throw new HttpProblem("VAL-006", "the body could not be read completely", { cause: error });
  }
}

/** Decodes UTF-8; invalid bytes become lone surrogates. A byte order mark is dropped. */
function decode(bytes: Uint8Array): string {
  return decodeUtf8(bytes).replace(/^\ufeff/u, "");
}

/**
 * Refuses a key or value that cannot be stored, with its field path. A body without escapes and invalid bytes needs no
 * check.
 */
function checkText(json: JsonValue, text: string): void {
  if (text.isWellFormed() && !text.includes("\\u")) return;
  const errors = textErrors(json).map(({ field, problem }) => ({ field, message: problem }));
  const [first] = errors;
  if (first !== undefined) throw new HttpProblem("VAL-006", `${first.field}: ${first.message}`, { errors });
}

function parse(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new HttpProblem("VAL-006", error.message, { cause: error });
    throw error;
  }
}
