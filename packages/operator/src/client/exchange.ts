import { isAbort, parseJson, StatusError, stringifyJson, toError, TransportError } from "@levelset/core";
import type { Fetch, JsonValue } from "@levelset/core";
import { abortError } from "./abortable.ts";
import { directOf } from "./direct.ts";
import type { DirectAnswer, DirectRequest } from "./direct.ts";
import { innermost } from "./network-failure.ts";
import { withRetries } from "./retry.ts";
import type { RetryWorld } from "./retry.ts";

/** One request to the API, in its words. */
export interface Exchange {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Default: JSON. */
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether it is sent again after the server throttled it. Default true. */
  readonly retryThrottled?: boolean | undefined;
}

/** How requests travel. */
export interface Transport {
  readonly fetch: Fetch;
  /** With it, requests that the server asks to repeat are repeated, and reads whose answer was lost. */
  readonly retry?: RetryWorld;
  /** Told of every warning that the server sends along. */
  readonly onWarning?: (text: string) => void;
}

/**
 * Sends a request and answers with what came of a success. A refusal becomes a StatusError, no answer a TransportError, an abort
 * stays one. Neither kind of error holds any part of what was sent.
 */
export async function send(fetch: Fetch, exchange: Exchange): Promise<DirectAnswer> {
  let answer: DirectAnswer;
  try {
    answer = await directOf(fetch)(toRequest(exchange));
  } catch (error) {
    throw transportError(error, exchange);
  }
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw await failure(answer, exchange);
}

const utf8 = new TextDecoder();

/** Sends a request and reads the whole JSON answer, losslessly. Repeats it where that is safe. */
export async function exchangeJson(transport: Transport, exchange: Exchange): Promise<JsonValue> {
  return withRetries(transport.retry, exchange, () => once(transport, exchange));
}

async function once(transport: Transport, exchange: Exchange): Promise<JsonValue> {
  const answer = await send(transport.fetch, exchange);
  tellWarnings(answer, transport.onWarning);
  let text: string;
  try {
    text = utf8.decode(await answer.bytes());
  } catch (error) {
    throw transportError(error, exchange);
  }
  try {
    return parseJson(text);
  } catch (error) {
    throw new TransportError(`${describe(exchange)}: the answer is not JSON`, { cause: error });
  }
}

/** `299 - "text"`, as RFC 7234 has it; several may stand in one header. */
function tellWarnings(answer: DirectAnswer, onWarning: Transport["onWarning"]): void {
  const header = answer.header("warning");
  if (header === undefined || onWarning === undefined) return;
  for (const [, text = ""] of header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/gu)) {
    onWarning(text.replaceAll(/\\(.)/gu, "$1"));
  }
}

function toRequest({ method, path, query, body, contentType, accept, signal }: Exchange): DirectRequest {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, value);
  }
  const headers: Record<string, string> = { accept: accept ?? "application/json" };
  if (body !== undefined) headers["content-type"] = contentType ?? "application/json";
  return {
    method,
    path: search.size === 0 ? path : `${path}?${search.toString()}`,
    headers,
    body: body === undefined ? undefined : stringifyJson(body),
    isStream: query?.["watch"] === "true",
    signal,
  };
}

async function failure(answer: DirectAnswer, exchange: Exchange): Promise<Error> {
  const seconds = Number(answer.header("retry-after") ?? Number.NaN);
  let body: unknown;
  try {
    body = parseJson(utf8.decode(await answer.bytes()));
  } catch (error) {
    if (isAbort(error)) return toError(error);
    // Not JSON: the HTTP code says enough, and the body may be anything.
  }
  return StatusError.fromResponse(
    answer.status,
    body,
    Number.isFinite(seconds) ? seconds : undefined,
    describe(exchange),
  );
}

function transportError(error: unknown, exchange: Exchange): Error {
  if (isAbort(error) || error instanceof TransportError) return toError(error);
  if (exchange.signal?.aborted === true) return abortError(exchange.signal);
  const cause = innermost(toError(error));
  return new TransportError(`${describe(exchange)}: ${cause.message}`, { cause: error });
}

function describe(exchange: Exchange): string {
  return `${exchange.method} ${exchange.path}`;
}
