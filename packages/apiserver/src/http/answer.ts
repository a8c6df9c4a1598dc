import { stringifyJson } from "@levelset/core";
import type { StatusError } from "@levelset/core";
import { warningHeaders } from "./warning.ts";

/** What an answer carries: text, pieces of a text too large to join, bytes, or a stream that goes on for as long as it is read. */
export type AnswerBody = string | readonly string[] | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** The answer to a request. Names of headers are in lower case. */
export class Answer {
  readonly status: number;
  readonly headers: Map<string, string | readonly string[]>;
  readonly body: AnswerBody;

  constructor(body: AnswerBody, contentType: string, status = 200) {
    this.status = status;
    this.headers = new Map([["content-type", contentType]]);
    this.body = body;
  }

  /** The same as an object of the web. */
  toResponse(): Response {
    const headers = new Headers();
    for (const [name, value] of this.headers) {
      for (const each of typeof value === "string" ? [value] : value) headers.append(name, each);
    }
    const { body, status } = this;
    // These codes forbid a body, even an empty one.
    const hasBody = status !== 204 && status !== 304;
    return new Response(hasBody ? (isPieces(body) ? body.join("") : body) : null, { status, headers });
  }
}

/** Whether a body is the pieces of a text. */
export function isPieces(body: AnswerBody): body is readonly string[] {
  return Array.isArray(body);
}

const JSON_TYPE = "application/json";

/** An answer of JSON text, whole or in pieces. */
export function jsonAnswer(text: string | readonly string[], code = 200, warnings: readonly string[] = []): Answer {
  const answer = new Answer(text, JSON_TYPE, code);
  if (warnings.length > 0) answer.headers.set("warning", warningHeaders(warnings));
  return answer;
}

/** The same answer with one more warning. */
export function withWarning(answer: Answer, warning: string): Answer {
  const said = answer.headers.get("warning") ?? [];
  answer.headers.set("warning", [...warningHeaders([warning]), ...(typeof said === "string" ? [said] : said)]);
  return answer;
}

/** An answer of data. */
export function dataAnswer(data: unknown, code = 200): Answer {
  return jsonAnswer(stringifyJson(data), code);
}

/** An answer of plain text. */
export function textAnswer(text: string, code = 200): Answer {
  const answer = new Answer(text, "text/plain; charset=utf-8", code);
  answer.headers.set("x-content-type-options", "nosniff");
  return answer;
}

/** An answer that goes on: a line of JSON for every event. */
export function streamAnswer(lines: ReadableStream<Uint8Array>): Answer {
  return new Answer(lines, JSON_TYPE);
}

/** The answer to a request that failed. */
export function failureAnswer(error: StatusError): Answer {
  const answer = jsonAnswer(stringifyJson(error.toStatus()), error.code);
  const retryAfterSeconds = error.details?.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) answer.headers.set("retry-after", String(retryAfterSeconds));
  return answer;
}
