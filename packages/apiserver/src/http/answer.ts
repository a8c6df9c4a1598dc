import { stringifyJson } from "@levelset/core";
import type { StatusError } from "@levelset/core";

/** An answer of JSON text. */
export function jsonAnswer(text: string, code = 200, warnings: readonly string[] = []): Response {
  const headers = new Headers({ "content-type": "application/json" });
  for (const warning of warnings) headers.append("warning", `299 - ${quoted(warning)}`);
  return new Response(text, { status: code, headers });
}

/** An answer of data. */
export function dataAnswer(data: unknown, code = 200): Response {
  return jsonAnswer(stringifyJson(data), code);
}

/** An answer of plain text. */
export function textAnswer(text: string, code = 200): Response {
  return new Response(text, { status: code, headers: { "content-type": "text/plain; charset=utf-8" } });
}

/** The answer to a request that failed. */
export function failureAnswer(error: StatusError): Response {
  const response = jsonAnswer(stringifyJson(error.toStatus()), error.code);
  const retryAfterSeconds = error.details?.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) response.headers.set("retry-after", String(retryAfterSeconds));
  return response;
}

/** A quoted-string of HTTP: header values carry no line breaks and only Latin characters. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[^\t\u0020-\u007E]/gu, " ").replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
