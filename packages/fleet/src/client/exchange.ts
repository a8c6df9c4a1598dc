import { jitter, parseJson, stringifyJson, toError, TransportError } from "@levelset/core";
import type { Clock, Fetch, JsonValue, Random } from "@levelset/core";
import { isProblem, readProblem } from "./problem.ts";
import { TimeLimit } from "./time-limit.ts";

/** How often, and for how long, a request is sent. */
export interface RetryOptions {
  /** How often a request is sent at most. Default 5. */
  readonly triesMax?: number;
  /** Who is asked to wait longer than this hears of it instead. Default 30 s. */
  readonly waitMaxMs?: number;
}

/** Gives the bearer token for a request; undefined for none. Asked for every request, so it may change. */
export type TokenSource = (signal: AbortSignal | undefined) => string | undefined | Promise<string | undefined>;

/** What requests are sent with. */
export interface ExchangeWorld {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly fetch: Fetch;
  readonly token: TokenSource;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly random: Random;
  /** How long one try may take until the answer begins. */
  readonly timeoutMs: number;
  readonly retry: Required<RetryOptions>;
}

/** A request that may be sent again when nobody knows what became of it: a read, a write with a key, or a report, which its time tells. */
export interface Ask {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** An answer, read to its end. */
export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly json: JsonValue | undefined;
}

/** The first delay; it doubles with every try. */
const DELAY_MS = 200;

/**
 * Sends a request until it is answered: again after 429, 502, 503, 504 and a lost connection, after as long as the server asks for. Rejects with a `FleetProblem` for a refusal and with a
 * `TransportError` when no answer came.
 */
export async function exchange(world: ExchangeWorld, ask: Ask): Promise<Told> {
  return withRetries(world, ask, async () => {
    using limit = timeLimit(world, ask);
    const response = await send(world, ask, limit);
    const text = await limit.race(response.text()).catch((error: unknown) => unanswered(ask, error));
    return { status: response.status, headers: response.headers, json: text === "" ? undefined : read(ask, text) };
  });
}

/** Sends a request whose answer is a stream. From its beginning on, ending the stream is the caller's matter; it is not repeated. */
export async function openStream(world: ExchangeWorld, ask: Ask): Promise<Response> {
  return withRetries(world, ask, async () => {
    using limit = timeLimit(world, ask);
    return await send(world, ask, limit);
  });
}

function timeLimit({ clock, timeoutMs: ms }: ExchangeWorld, { signal: outer }: Ask): TimeLimit {
  return new TimeLimit({ clock, ms, outer, message: `no answer within ${ms} ms` });
}

async function withRetries<Out>(world: ExchangeWorld, ask: Ask, attempt: () => Promise<Out>): Promise<Out> {
  const { clock, random, retry } = world;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const delayMs = tries < retry.triesMax ? repeatAfterMs(error, tries) : undefined;
      if (delayMs === undefined || delayMs > retry.waitMaxMs) throw error;
      // Never earlier than the server asked for.
      await clock.sleep(delayMs * (1 + 0.2 * random.next()), ask.signal);
    }
  }
}

/** How long to wait before the same request may be sent again; undefined when the answer would be the same. */
function repeatAfterMs(error: unknown, tries: number): number | undefined {
  const growing = DELAY_MS * 2 ** (tries - 1);
  if (error instanceof TransportError) return growing;
  return isProblem(error, "busy") ? (error.retryAfterMs ?? growing) : undefined;
}

async function send(world: ExchangeWorld, ask: Ask, limit: TimeLimit): Promise<Response> {
  const { method, path, body } = ask;
  const { signal } = limit;
  const token = await limit.race(Promise.resolve(world.token(signal)));
  const headers = {
    accept: "application/json, application/problem+json",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...world.headers,
    ...ask.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const given = body === undefined ? {} : { body: stringifyJson(body) };
  const request = new Request(`${world.origin}${path}`, { method, headers, ...given, signal });
  const response = await limit.race(world.fetch(request)).catch((error: unknown) => unanswered(ask, error));
  if (response.ok) return response;
  throw await limit.race(readProblem(response, describe(ask), world.clock.now()));
}

/** Throws what the caller must know: that they aborted it, or why no answer came. */
function unanswered(ask: Ask, thrown: unknown): never {
  if (ask.signal?.aborted === true) throw thrown;
  const error = toError(thrown);
  // "fetch failed" says nothing; what it was caused by does.
  const why = error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
  throw new TransportError(`${describe(ask)}: ${why}`, { cause: error });
}

function read(ask: Ask, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new TransportError(`${describe(ask)}: the answer is not JSON`, { cause: error });
  }
}

/** `GET /api/…/clusters`: without the query, which may hold what nobody else should read. */
function describe({ method, path }: Ask): string {
  return `${method} ${path.split("?", 1)[0]}`;
}

/** How long to wait before a broken stream is opened again. */
export function reopenAfterMs(random: Random, failures: number): number {
  return jitter(random, Math.min(DELAY_MS * 2 ** failures, 10_000), 0.2);
}
