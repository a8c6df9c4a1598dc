import { stringifyJson } from "@levelset/core/internal";
import type { StatusError } from "@levelset/core";
import type { HttpResponse } from "@levelset/core/http";
import { warningHeaders } from "./warning.ts";

/** A response body: text, chunks of a text too large to join, bytes, or a stream. */
export type ResponseBody = string | readonly string[] | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** A response. Header names are in lower case. */
export class ApiResponse implements HttpResponse {
  readonly status: number;
  readonly headers: Map<string, string | readonly string[]>;
  readonly body: ResponseBody;

  constructor(body: ResponseBody, contentType: string, status = 200) {
    this.status = status;
    this.headers = new Map([["content-type", contentType]]);
    this.body = body;
  }
}

/** Whether a body is text in chunks. */
export function isChunkedText(body: ResponseBody): body is readonly string[] {
  return Array.isArray(body);
}

const JSON_TYPE = "application/json";

/** Returns a response with JSON text, whole or in chunks. */
export function jsonResponse(
  text: string | readonly string[],
  code = 200,
  warnings: readonly string[] = [],
): ApiResponse {
  const response = new ApiResponse(text, JSON_TYPE, code);
  if (warnings.length > 0) response.headers.set("warning", warningHeaders(warnings));
  return response;
}

/** Returns a copy of the response with one more warning. */
export function withWarning(response: ApiResponse, warning: string): ApiResponse {
  const output = response.headers.get("warning") ?? [];
  response.headers.set("warning", [...warningHeaders([warning]), ...(typeof output === "string" ? [output] : output)]);
  return response;
}

/** Returns a response with a value encoded as JSON. */
export function dataResponse(data: unknown, code = 200): ApiResponse {
  return jsonResponse(stringifyJson(data), code);
}

/** Returns a plain-text response. */
export function textResponse(text: string, code = 200): ApiResponse {
  const response = new ApiResponse(text, "text/plain; charset=utf-8", code);
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

/** Returns a streaming response with one JSON document per line, as watches use. */
export function streamResponse(lines: ReadableStream<Uint8Array>): ApiResponse {
  return new ApiResponse(lines, JSON_TYPE);
}

/** Returns the Status response of an error. */
export function statusErrorResponse(error: StatusError): ApiResponse {
  const response = jsonResponse(stringifyJson(error.toStatus()), error.code);
  const retryAfterSeconds = error.details?.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) response.headers.set("retry-after", String(retryAfterSeconds));
  return response;
}
