import { parseJson, storableText, stringifyJson, toError, truncateText } from "@levelset/core";
import type { Clock, Fetch, JsonValue, Random } from "@levelset/core";
import { TimeLimit } from "../../client/index.ts";
import type { ApiCall, Backoff } from "../task/index.ts";
import type { Renderer } from "./render.ts";

/** How requests are sent. */
export interface ApiCallerOptions {
  /** Scheme, host and port of the fleet's API. */
  readonly baseUrl: string;
  /** `v1`. */
  readonly version: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Gives the token for the fleet's API. It is sent to no other host. */
  readonly token: (signal: AbortSignal) => Promise<string | undefined>;
  readonly timeoutMs: number;
  readonly attemptsMax: number;
  readonly backoff: Backoff;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
}

/** What was sent and what came back, for the trace. Never a token. */
export interface ApiRecord {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
  readonly status: number | undefined;
  readonly attempts: number;
  readonly error: string | undefined;
}

/** An answer. */
export interface ApiAnswer {
  readonly status: number;
  /** Its JSON; its text if it is none; null if there is nothing. */
  readonly body: JsonValue;
}

/** What is known of a request that failed. */
interface Failed {
  readonly status?: number;
  readonly code?: string | undefined;
  /** Whether it was one for the fleet's API. */
  readonly isFleet?: boolean;
  /** Whether it could be sent at all. */
  readonly isSendable?: boolean;
}

/** Answers about what was sent. Others, such as 401, 403 and 404, are about the caller or the address. */
const REFUSALS: ReadonlySet<number> = new Set([400, 402, 409, 410, 412, 413, 415, 422]);

/** A request was not answered, or refused. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  /** Undefined if there was no answer. */
  readonly status: number | undefined;
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean;
  /** Whether what was asked for is not there; a path that the fleet's API does not have is another matter. */
  readonly isNotFound: boolean;
  readonly isFleet: boolean;
  /** Whether what was sent is refused, and would be again. */
  readonly isRefusal: boolean;

  constructor(message: string, { status, code, isFleet = false, isSendable = true }: Failed = {}) {
    super(message);
    this.status = status;
    this.isTransient = isSendable && (status === undefined || status >= 500 || status === 408 || status === 429);
    this.isNotFound = status === 404 && code !== "HYPERFLEET-NTF-000";
    this.isFleet = isFleet;
    this.isRefusal = status !== undefined && REFUSALS.has(status);
  }
}

const ANSWER_MAX = 8 * 1_024 * 1_024;
const SHOWN_MAX = 500;

/** Sends the requests of tasks. */
export class ApiCaller {
  readonly #options: ApiCallerOptions;

  constructor(options: ApiCallerOptions) {
    this.#options = options;
  }

  /** Sends a request until it is answered. Rejects with an ApiFailure. `record` is told once, at the end. */
  async call(
    call: ApiCall,
    render: Renderer,
    signal: AbortSignal,
    record: (record: ApiRecord) => void,
  ): Promise<ApiAnswer> {
    const url = this.#url(render.text(call.url));
    const headers = Object.fromEntries(call.headers.map(({ name, value }) => [name, render.text(value)]));
    const body = call.body === undefined ? undefined : render.text(call.body);
    const attemptsMax = Math.max(1, call.attemptsMax ?? this.#options.attemptsMax);
    for (let attempts = 1; ; attempts += 1) {
      try {
        const answer = await this.#once(call, url, headers, body, signal);
        record({ method: call.method, url: url.href, body, status: answer.status, attempts, error: undefined });
        return answer;
      } catch (error) {
        const failure = error instanceof ApiFailure ? error : undefined;
        if (failure === undefined || !failure.isTransient || attempts >= attemptsMax || signal.aborted) {
          const { message } = toError(error);
          record({ method: call.method, url: url.href, body, status: failure?.status, attempts, error: message });
          throw error;
        }
        await this.#options.clock.sleep(this.#delay(call.backoff ?? this.#options.backoff, attempts), signal);
      }
    }
  }

  /** A path belongs to the fleet's API; `/api/…` says all of it, anything else what follows the version. */
  #url(text: string): URL {
    const { baseUrl, version } = this.#options;
    const path = text.replace(/^\/+/u, "");
    const whole = path.startsWith("api/") ? path : `api/hyperfleet/${version}/${path}`;
    const address = /^https?:\/\//u.test(text) ? text : `${baseUrl.replace(/\/+$/u, "")}/${whole}`;
    if (!URL.canParse(address)) {
      throw new ApiFailure(`${stringifyJson(address)} is no address`, { isSendable: false });
    }
    return new URL(address);
  }

  async #once(
    { method, timeoutMs }: ApiCall,
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<ApiAnswer> {
    const { clock, fetch } = this.#options;
    const ms = timeoutMs ?? this.#options.timeoutMs;
    using limit = new TimeLimit({ clock, ms, outer: signal, message: `no answer within ${ms} ms` });
    const what = `${method} ${url.origin}${url.pathname}`;
    try {
      const request = new Request(url, {
        method,
        headers: await this.#headers(url, headers, body, limit.signal),
        ...(body === undefined ? {} : { body }),
        signal: limit.signal,
        redirect: "error",
      });
      const response = await limit.race(fetch(request));
      const text = await limit.race(response.text());
      const { status } = response;
      if (text.length > ANSWER_MAX) throw new ApiFailure(`${what}: the answer is too long`, { status });
      const answer = { status, body: jsonOf(text) };
      if (response.ok) return answer;
      const failed = { status, code: codeOf(answer), isFleet: this.#isFleet(url) };
      throw new ApiFailure(`${what}: ${status}: ${truncateText(storableText(text), SHOWN_MAX)}`, failed);
    } catch (error) {
      if (error instanceof ApiFailure || signal.aborted) throw error;
      const { message, cause } = toError(limit.signal.aborted ? limit.signal.reason : error);
      throw new ApiFailure(`${what}: ${cause instanceof Error ? cause.message : message}`);
    }
  }

  async #headers(
    url: URL,
    own: Readonly<Record<string, string>>,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<Headers> {
    const isFleet = this.#isFleet(url);
    const headers = new Headers(isFleet ? this.#options.headers : {});
    headers.set("accept", "application/json, application/problem+json");
    if (body !== undefined) headers.set("content-type", "application/json");
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    const token = isFleet && !headers.has("authorization") ? await this.#options.token(signal) : undefined;
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    return headers;
  }

  #isFleet({ origin }: URL): boolean {
    return origin === new URL(this.#options.baseUrl).origin;
  }

  #delay(backoff: Backoff, attempts: number): number {
    const { baseDelayMs, maxDelayMs, random } = this.#options;
    const factor = backoff === "exponential" ? 2 ** (attempts - 1) : backoff === "linear" ? attempts : 1;
    return Math.min(maxDelayMs, baseDelayMs * factor) * (0.9 + 0.2 * random.next());
  }
}

function jsonOf(text: string): JsonValue {
  if (text === "") return null;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function codeOf({ body }: ApiAnswer): string | undefined {
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  return typeof code === "string" ? code : undefined;
}
