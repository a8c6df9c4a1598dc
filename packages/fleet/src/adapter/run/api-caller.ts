import { parseJson, stringifyJson, toError } from "@levelset/core";
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

/** A request was not answered, or refused. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  /** Undefined if there was no answer. */
  readonly status: number | undefined;
  /** The code of the problem document. */
  readonly code: string | undefined;
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean;

  constructor(message: string, status: number | undefined, code: string | undefined, isSendable: boolean = true) {
    super(message);
    this.status = status;
    this.code = code;
    this.isTransient = isSendable && (status === undefined || status >= 500 || status === 408 || status === 429);
  }

  /** Whether the resource is unknown to the API; a path that it does not have is another matter. */
  get isNotFound(): boolean {
    return this.status === 404 && this.code !== "HYPERFLEET-NTF-000";
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
      throw new ApiFailure(`${stringifyJson(address)} is no address`, undefined, undefined, false);
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
      if (text.length > ANSWER_MAX) throw new ApiFailure(`${what}: the answer is too long`, response.status, undefined);
      const answer = { status: response.status, body: jsonOf(text) };
      if (response.ok) return answer;
      throw new ApiFailure(`${what}: ${response.status}: ${text.slice(0, SHOWN_MAX)}`, response.status, codeOf(answer));
    } catch (error) {
      if (error instanceof ApiFailure || signal.aborted) throw error;
      const { message, cause } = toError(limit.signal.aborted ? limit.signal.reason : error);
      throw new ApiFailure(`${what}: ${cause instanceof Error ? cause.message : message}`, undefined, undefined);
    }
  }

  async #headers(
    url: URL,
    own: Readonly<Record<string, string>>,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<Headers> {
    const isOurs = url.origin === new URL(this.#options.baseUrl).origin;
    const headers = new Headers(isOurs ? this.#options.headers : {});
    headers.set("accept", "application/json, application/problem+json");
    if (body !== undefined) headers.set("content-type", "application/json");
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    const token = isOurs && !headers.has("authorization") ? await this.#options.token(signal) : undefined;
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    return headers;
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
