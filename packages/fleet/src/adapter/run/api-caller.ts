import {
  backoffMs,
  BACKOFFS,
  LinkedAbortController,
  parseJson,
  storableText,
  stringifyJson,
  toError,
  truncateText,
} from "@levelset/core/internal";
import type { Clock, Fetch, JsonValue, Random } from "@levelset/core";
import type { ApiCall, Backoff } from "../task/index.ts";
import type { Renderer } from "./render.ts";

/** Options of {@link ApiCaller}. */
export interface ApiCallerOptions {
  /** Scheme, host and port of the fleet API. */
  readonly baseUrl: string;
  /** API version, such as `v1`. */
  readonly version: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the token for the fleet API. The token is never sent to another host. */
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

/** Request and response as recorded in the trace. Never contains a token. */
export interface ApiCallRecord {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
  readonly status: number | undefined;
  readonly attempts: number;
  readonly error: string | undefined;
}

/** Response of an API call. */
export interface ApiCallResponse {
  readonly status: number;
  /** Parsed JSON; the text if it is not JSON; null if empty. */
  readonly body: JsonValue;
}

/** Details of a failed request. */
interface Failed {
  readonly status?: number;
  readonly code?: string | undefined;
  /** Whether the request was for the fleet API. */
  readonly isFleet?: boolean;
  /** Whether the request could be sent. */
  readonly isSendable?: boolean;
}

/** Statuses that reject the request body. Others, such as 401, 403 and 404, concern the caller or the URL. */
const REFUSALS: ReadonlySet<number> = new Set([400, 402, 409, 410, 412, 413, 415, 422]);

/** A request that failed or was rejected. */
export class ApiCallError extends Error {
  override readonly name = "ApiCallError";
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean;
  /** Whether the requested resource does not exist. A path unknown to the fleet API does not count. */
  readonly isNotFound: boolean;
  readonly isFleet: boolean;
  /** Whether the request body was rejected and would be rejected again. */
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

/** Sends the HTTP requests of tasks. */
export class ApiCaller {
  readonly #options: ApiCallerOptions;

  constructor(options: ApiCallerOptions) {
    this.#options = options;
  }

  /**
   * Sends a request and retries transient failures. Rejects with an ApiCallError. `record` is called once, after the
   * last attempt.
   */
  async call(
    call: ApiCall,
    render: Renderer,
    signal: AbortSignal,
    record: (record: ApiCallRecord) => void,
  ): Promise<ApiCallResponse> {
    const url = this.#url(render.text(call.url));
    const headers = Object.fromEntries(call.headers.map(({ name, value }) => [name, render.text(value)]));
    const body = call.body === undefined ? undefined : render.text(call.body);
    const attemptsMax = Math.max(1, call.attemptsMax ?? this.#options.attemptsMax);
    for (let attempts = 1; ; attempts += 1) {
      try {
        const response = await this.#once(call, url, headers, body, signal);
        record({ method: call.method, url: url.href, body, status: response.status, attempts, error: undefined });
        return response;
      } catch (error) {
        const failure = error instanceof ApiCallError ? error : undefined;
        if (failure === undefined || !failure.isTransient || attempts >= attemptsMax || signal.aborted) {
          const { message } = toError(error);
          record({ method: call.method, url: url.href, body, status: failure?.status, attempts, error: message });
          throw error;
        }
        await this.#options.clock.sleep(this.#delay(call.backoff ?? this.#options.backoff, attempts), signal);
      }
    }
  }

  /** A path refers to the fleet API: `/api/…` is used as is, anything else is appended to the versioned prefix. */
  #url(text: string): URL {
    const { baseUrl, version } = this.#options;
    const path = text.replace(/^\/+/u, "");
    const fullPath = path.startsWith("api/") ? path : `api/hyperfleet/${version}/${path}`;
    const address = /^https?:\/\//u.test(text) ? text : `${baseUrl.replace(/\/+$/u, "")}/${fullPath}`;
    if (!URL.canParse(address)) {
      throw new ApiCallError(`${stringifyJson(address)} is not a URL`, { isSendable: false });
    }
    return new URL(address);
  }

  async #once(
    { method, timeoutMs }: ApiCall,
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<ApiCallResponse> {
    const { clock, fetch } = this.#options;
    const ms = timeoutMs ?? this.#options.timeoutMs;
    const error = (): Error => new Error(`no response within ${ms} ms`);
    using limit = new LinkedAbortController([signal], { clock, ms, error });
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
      if (text.length > ANSWER_MAX) throw new ApiCallError(`${what}: the response is too large`, { status });
      const answer = { status, body: jsonOf(text) };
      if (response.ok) return answer;
      const failed = { status, code: codeOf(answer), isFleet: this.#isFleet(url) };
      throw new ApiCallError(`${what}: ${status}: ${truncateText(storableText(text), SHOWN_MAX)}`, failed);
    } catch (error) {
      if (error instanceof ApiCallError || signal.aborted) throw error;
      const { message, cause } = toError(limit.signal.aborted ? limit.signal.reason : error);
      throw new ApiCallError(`${what}: ${cause instanceof Error ? cause.message : message}`);
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
    const { baseDelayMs, maxDelayMs: maxMs, random } = this.#options;
    const firstMs = backoff === "linear" ? baseDelayMs * attempts : baseDelayMs;
    const factor = backoff === "exponential" ? 2 : 1;
    return backoffMs(attempts, { ...BACKOFFS.adapterCall, firstMs, maxMs, factor }, random);
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

function codeOf({ body }: ApiCallResponse): string | undefined {
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  return typeof code === "string" ? code : undefined;
}
