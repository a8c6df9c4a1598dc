import { abortError, parseJson, parseRetryAfter, stringifyJson, toError } from "@levelset/core/internal";
import { isAbortError, StatusError, TransportError } from "@levelset/core";
import type { Fetch, JsonValue } from "@levelset/core";
import { rawFetchOf } from "./transport/raw-fetch.ts";
import type { RawResponse, RawRequest } from "./transport/raw-fetch.ts";
import { rootCause } from "./transport/network-error.ts";
import type { RequestThrottle } from "./request-throttle.ts";
import { withRetries } from "./retry.ts";
import type { RetryDependencies } from "./retry.ts";

/** One request to the Kubernetes API. */
export interface KubeRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Default: JSON. */
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether it is retried after a 429 response. Default true. */
  readonly retryThrottled?: boolean | undefined;
  /** Called when it is sent: after it has waited for the throttle. */
  readonly onSend?: (() => void) | undefined;
}

/** Transport of requests. */
export interface HttpTransport {
  readonly fetch: Fetch;
  /** Enables retries of throttled requests and of failed reads; see `withRetries`. */
  readonly retry?: RetryDependencies;
  /** Limits the requests of all clients that share it. */
  readonly throttle?: RequestThrottle;
  /** User that the requests are sent as (docs: User impersonation). Default: the user of the credentials. */
  readonly impersonateUser?: string;
  /** Called for every Warning header of a response. */
  readonly onWarning?: (text: string) => void;
}

/**
 * Sends a request and resolves with a successful response. Rejects with a `StatusError` for an error status, with a
 * `TransportError` if no response arrives, and with an abort error. Errors contain no part of the request body.
 */
export async function sendRequest(transport: HttpTransport, request: KubeRequest): Promise<RawResponse> {
  const { fetch, retry, throttle, impersonateUser } = transport;
  const admission = throttle?.admit(request.signal);
  if (admission !== undefined) await admission;
  request.onSend?.();
  let response: RawResponse;
  try {
    response = await rawFetchOf(fetch)(toRequest(request, impersonateUser));
  } catch (error) {
    throw transportError(error, request);
  }
  if (response.status >= 200 && response.status < 300) return response;
  const error = await failure(response, request, retry?.clock.now());
  throttle?.onFailure(error);
  throw error;
}

const utf8 = new TextDecoder();

/** Sends a request and parses the JSON response without loss of precision. Retries it where that is safe. */
export async function requestJson(transport: HttpTransport, request: KubeRequest): Promise<JsonValue> {
  return withRetries(transport, request, () => once(transport, request));
}

async function once(transport: HttpTransport, request: KubeRequest): Promise<JsonValue> {
  const response = await sendRequest(transport, request);
  logWarnings(response, transport.onWarning);
  let text: string;
  try {
    text = utf8.decode(await response.bytes());
  } catch (error) {
    throw transportError(error, request);
  }
  try {
    return parseJson(text);
  } catch (error) {
    throw new TransportError(`${describe(request)}: the answer is not JSON`, { cause: error });
  }
}

/** Parses `299 - "text"` (RFC 7234, section 5.5); one header may contain several warnings. */
function logWarnings(response: RawResponse, onWarning: HttpTransport["onWarning"]): void {
  const header = response.header("warning");
  if (header === undefined || onWarning === undefined) return;
  for (const [, text = ""] of header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/gu)) {
    onWarning(text.replaceAll(/\\(.)/gu, "$1"));
  }
}

function toRequest(request: KubeRequest, impersonateUser: string | undefined): RawRequest {
  const { method, path, query, body, contentType, accept, signal } = request;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, value);
  }
  const headers: Record<string, string> = { accept: accept ?? "application/json" };
  if (body !== undefined) headers["content-type"] = contentType ?? "application/json";
  if (impersonateUser !== undefined) headers["impersonate-user"] = impersonateUser;
  return {
    method,
    path: search.size === 0 ? path : `${path}?${search.toString()}`,
    headers,
    body: body === undefined ? undefined : stringifyJson(body),
    isStream: query?.["watch"] === "true",
    signal,
  };
}

async function failure(response: RawResponse, request: KubeRequest, now: number | undefined): Promise<Error> {
  const retryAfterMs = parseRetryAfter(response.header("retry-after"), now);
  let body: unknown;
  try {
    body = parseJson(utf8.decode(await response.bytes()));
  } catch (error) {
    if (isAbortError(error)) return toError(error);
    // Not JSON: only the HTTP status is used.
  }
  return StatusError.fromResponse(
    response.status,
    body,
    retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000),
    describe(request),
  );
}

function transportError(error: unknown, request: KubeRequest): Error {
  if (isAbortError(error) || error instanceof TransportError) return toError(error);
  if (request.signal?.aborted === true) return abortError(request.signal);
  const cause = rootCause(toError(error));
  return new TransportError(`${describe(request)}: ${cause.message}`, { cause: error });
}

function describe(request: KubeRequest): string {
  return `${request.method} ${request.path}`;
}
