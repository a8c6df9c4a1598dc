import {
  CLUSTER_ORIGIN,
  isAbort,
  parseJson,
  StatusError,
  stringifyJson,
  toError,
  TransportError,
} from "@levelset/core";
import type { Fetch, JsonValue } from "@levelset/core";
import { abortable } from "./abortable.ts";
import { innermost } from "./network-failure.ts";
import { withRetries } from "./retry.ts";
import type { RetryWorld } from "./retry.ts";

/** One request to the API, before it is a `Request`. */
export interface Exchange {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Default: JSON. */
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
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
 * Sends a request and answers with the response of a success. A refusal becomes a StatusError, no answer a TransportError, an
 * abort stays one. Neither kind of error holds any part of what was sent.
 */
export async function send(fetch: Fetch, exchange: Exchange): Promise<Response> {
  const request = toRequest(exchange);
  let response: Response;
  try {
    response = await abortable(fetch(request), exchange.signal);
  } catch (error) {
    throw transportError(error, exchange);
  }
  if (response.ok) return response;
  throw await failure(response, exchange);
}

/** Sends a request and reads the whole JSON answer, losslessly. Repeats it where that is safe. */
export async function exchangeJson(transport: Transport, exchange: Exchange): Promise<JsonValue> {
  return withRetries(transport.retry, exchange, () => once(transport, exchange));
}

async function once(transport: Transport, exchange: Exchange): Promise<JsonValue> {
  const response = await send(transport.fetch, exchange);
  tellWarnings(response, transport.onWarning);
  let text: string;
  try {
    text = await abortable(response.text(), exchange.signal);
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
function tellWarnings(response: Response, onWarning: Transport["onWarning"]): void {
  const header = response.headers.get("warning");
  if (header === null || onWarning === undefined) return;
  for (const [, text = ""] of header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/gu)) {
    onWarning(text.replaceAll(/\\(.)/gu, "$1"));
  }
}

function toRequest(exchange: Exchange): Request {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(exchange.query ?? {})) {
    if (value !== undefined) query.set(name, value);
  }
  const search = query.size === 0 ? "" : `?${query.toString()}`;
  const headers: Record<string, string> = { accept: exchange.accept ?? "application/json" };
  if (exchange.body !== undefined) headers["content-type"] = exchange.contentType ?? "application/json";
  return new Request(`${CLUSTER_ORIGIN}${exchange.path}${search}`, {
    method: exchange.method,
    headers,
    ...(exchange.body === undefined ? {} : { body: stringifyJson(exchange.body) }),
    ...(exchange.signal === undefined ? {} : { signal: exchange.signal }),
  });
}

async function failure(response: Response, exchange: Exchange): Promise<Error> {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  let body: unknown;
  try {
    body = parseJson(await abortable(response.text(), exchange.signal));
  } catch (error) {
    if (isAbort(error)) return toError(error);
    // Not JSON: the HTTP code says enough, and the body may be anything.
  }
  return StatusError.fromResponse(
    response.status,
    body,
    Number.isFinite(seconds) ? seconds : undefined,
    describe(exchange),
  );
}

function transportError(error: unknown, exchange: Exchange): Error {
  if (isAbort(error) || error instanceof TransportError || exchange.signal?.aborted === true) return toError(error);
  const cause = innermost(toError(error));
  return new TransportError(`${describe(exchange)}: ${cause.message}`, { cause: error });
}

function describe(exchange: Exchange): string {
  return `${exchange.method} ${exchange.path}`;
}
