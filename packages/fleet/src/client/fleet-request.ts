import {
  BACKOFF_DEFAULTS,
  backoffBaseMs,
  backoffMs,
  BACKOFFS,
  LinkedAbortController,
  parseJson,
  stringifyJson,
  toError,
} from "@levelset/core/internal";
import { TransportError } from "@levelset/core";
import type { Clock, Fetch, JsonValue, Random } from "@levelset/core";
import { isFleetApiError, readFleetApiError } from "./fleet-api-error.ts";

/** Retry limits of a request. */
export interface RetryOptions {
  /** The maximum number of attempts. Default 5. */
  readonly triesMax?: number;
  /** A longer Retry-After fails the request at once. Default 30 s. */
  readonly waitMaxMs?: number;
}

/** Returns the bearer token of a request; undefined for none. Called for every request, so the token may change. */
export type TokenSource = (signal: AbortSignal | undefined) => string | undefined | Promise<string | undefined>;

/** Dependencies of requests. */
export interface HttpContext {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly fetch: Fetch;
  readonly token: TokenSource;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly random: Random;
  /** The timeout of one attempt until the response starts. */
  readonly timeoutMs: number;
  readonly retry: Required<RetryOptions>;
}

/**
 * A request that is safe to repeat: a read, a write with an idempotency key, or a report, which its observation time
 * identifies.
 */
export interface FleetRequest {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** A complete response. */
export interface FleetResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly json: JsonValue | undefined;
}

/**
 * Sends a request. Retries after 429, 502, 503, 504 and connection failures, respecting Retry-After. Rejects with a
 * `FleetApiError` for an error response and with a `TransportError` if there was no response.
 */
export async function sendFleetRequest(world: HttpContext, call: FleetRequest): Promise<FleetResponse> {
  return withRetries(world, call, async () => {
    using limit = timeLimit(world, call);
    const response = await send(world, call, limit);
    const text = await limit.race(response.text()).catch((error: unknown) => throwTransportError(call, error));
    return { status: response.status, headers: response.headers, json: text === "" ? undefined : read(call, text) };
  });
}

/** Opens a streaming response. The caller must end the stream; it is not retried. */
export async function openStream(world: HttpContext, call: FleetRequest): Promise<Response> {
  return withRetries(world, call, async () => {
    using limit = timeLimit(world, call);
    return await send(world, call, limit);
  });
}

function timeLimit({ clock, timeoutMs: ms }: HttpContext, { signal }: FleetRequest): LinkedAbortController {
  const error = (): Error => new TransportError(`no response within ${ms} ms`);
  return new LinkedAbortController([signal], { clock, ms, error });
}

async function withRetries<Out>(world: HttpContext, call: FleetRequest, attempt: () => Promise<Out>): Promise<Out> {
  const { clock, random, retry } = world;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const delayMs = tries < retry.triesMax ? repeatAfterMs(error, tries) : undefined;
      if (delayMs === undefined || delayMs > retry.waitMaxMs) throw error;
      // Never earlier than the server requested.
      await clock.sleep(delayMs * (1 + BACKOFF_DEFAULTS.jitter * random.next()), call.signal);
    }
  }
}

/** Returns the delay before a retry; undefined if a retry cannot succeed. */
function repeatAfterMs(error: unknown, tries: number): number | undefined {
  const growing = backoffBaseMs(tries, BACKOFFS.fleetRequest);
  if (error instanceof TransportError) return growing;
  return isFleetApiError(error, "busy") ? (error.retryAfterMs ?? growing) : undefined;
}

async function send(world: HttpContext, call: FleetRequest, limit: LinkedAbortController): Promise<Response> {
  const { method, path, body } = call;
  const { signal } = limit;
  const token = await limit.race(Promise.resolve(world.token(signal)));
  const headers = {
    accept: "application/json, application/problem+json",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...world.headers,
    ...call.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const init = body === undefined ? {} : { body: stringifyJson(body) };
  const request = new Request(`${world.origin}${path}`, { method, headers, ...init, signal });
  const response = await limit.race(world.fetch(request)).catch((error: unknown) => throwTransportError(call, error));
  if (response.ok) return response;
  throw await limit.race(readFleetApiError(response, describe(call), world.clock.now()));
}

/** Throws the caller's abort reason, or a `TransportError` with the cause. */
function throwTransportError(call: FleetRequest, thrown: unknown): never {
  if (call.signal?.aborted === true) throw thrown;
  const error = toError(thrown);
  // "fetch failed" is not informative; its cause is.
  const why = error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
  throw new TransportError(`${describe(call)}: ${why}`, { cause: error });
}

function read(call: FleetRequest, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new TransportError(`${describe(call)}: the response is not JSON`, { cause: error });
  }
}

/** Returns `GET /api/…/clusters`: without the query, which may be confidential. */
function describe({ method, path }: FleetRequest): string {
  return `${method} ${path.split("?", 1)[0]}`;
}

/** Returns the delay before a broken stream is reopened. */
export function reopenAfterMs(random: Random, failures: number): number {
  return backoffMs(failures + 1, BACKOFFS.fleetWatch, random);
}
