import { backoffMs, BACKOFFS, JsonError, LinkedAbortController, parseJson, toError } from "@levelset/core/internal";
import { isJsonObject } from "@levelset/core";
import type { Clock, Fetch, JsonObject, JsonValue, Random } from "@levelset/core";
import type { ApiError } from "./sentinel-metrics.ts";
import type { TokenFile } from "./token-file.ts";

/** Options of {@link ApiSource}. */
export interface ApiSourceOptions {
  readonly fetch: Fetch;
  /** Base URL of the API, without `/api/hyperfleet`: `http://127.0.0.1:8000`. */
  readonly baseUrl: string;
  readonly version: string;
  readonly resourceType: string;
  /** Search that selects the resources; undefined for all. */
  readonly search: string | undefined;
  readonly pageSize: number;
  /** Timeout of one request. */
  readonly timeoutMs: number;
  readonly token: TokenFile | undefined;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** A request to the API failed, or its response is invalid. */
export class ApiSourceError extends Error {
  override readonly name: string = "ApiSourceError";
  readonly type: ApiError;
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean;

  constructor(type: ApiError, message: string, isTransient: boolean) {
    super(message);
    this.type = type;
    this.isTransient = isTransient;
  }
}

const BUDGET_MS = 30_000;
const PAGES_MAX = 100_000;

interface Page {
  readonly items: readonly JsonObject[];
  readonly total: number;
}

/** Reads the resources of one type from an API, page by page. */
export class ApiSource {
  readonly #options: ApiSourceOptions;

  constructor(options: ApiSourceOptions) {
    this.#options = options;
  }

  /** Sends one minimal request. Rejects with an ApiSourceError unless the response is valid. */
  async verify(signal: AbortSignal): Promise<void> {
    await this.#page(1, 1, signal);
  }

  /**
   * Lists all resources. Transient failures restart from the first page, with exponential backoff for up to half a
   * minute. Rejects with an ApiSourceError after that, and at once for permanent failures.
   */
  async listAll(signal: AbortSignal): Promise<readonly JsonObject[]> {
    const { clock, random } = this.#options;
    const start = clock.monotonic();
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.#pages(signal);
      } catch (error) {
        const pauseMs = backoffMs(failures, BACKOFFS.sentinelList, random);
        const isOver = clock.monotonic() + pauseMs - start > BUDGET_MS;
        if (!(error instanceof ApiSourceError) || !error.isTransient || isOver || signal.aborted) throw error;
        await clock.sleep(pauseMs, signal);
      }
    }
  }

  async #pages(signal: AbortSignal): Promise<readonly JsonObject[]> {
    const found: JsonObject[] = [];
    for (let number = 1; number <= PAGES_MAX; number++) {
      const { items, total } = await this.#page(number, this.#options.pageSize, signal);
      found.push(...items);
      if (items.length === 0 || found.length >= total) break;
    }
    return found;
  }

  async #page(page: number, size: number, signal: AbortSignal): Promise<Page> {
    const { baseUrl, version, resourceType, search, userAgent } = this.#options;
    const query = new URLSearchParams({ page: String(page), size: String(size) });
    if (search !== undefined) query.set("search", search);
    const path = `/api/hyperfleet/${version}/${encodeURIComponent(resourceType)}?${query.toString()}`;
    const headers = new Headers({ accept: "application/json", "user-agent": userAgent });
    const token = await this.#token();
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const body = await this.#exchange(new Request(`${baseUrl.replace(/\/+$/u, "")}${path}`, { headers }), signal);
    return pageOf(body);
  }

  async #token(): Promise<string | undefined> {
    try {
      return await this.#options.token?.token();
    } catch (error) {
      throw new ApiSourceError("auth_error", `cannot read the token: ${toError(error).message}`, false);
    }
  }

  /** Sends one request with a timeout that includes reading the body. */
  async #exchange(request: Request, signal: AbortSignal): Promise<string> {
    const { fetch, clock, timeoutMs, token } = this.#options;
    using limit = new LinkedAbortController([signal], { clock, ms: timeoutMs });
    try {
      const response = await fetch(new Request(request, { signal: limit.signal }));
      if (response.status === 401) token?.forget();
      const body = await response.text();
      if (response.status !== 200) throw refusal(response.status);
      return body;
    } catch (error) {
      if (error instanceof ApiSourceError) throw error;
      const message = limit.signal.aborted ? `no response within ${timeoutMs} ms` : toError(error).message;
      throw new ApiSourceError("fetch_error", message, true);
    }
  }
}

function refusal(status: number): ApiSourceError {
  const type = status === 401 || status === 403 ? "auth_error" : "fetch_error";
  return new ApiSourceError(type, `the API returned ${status}`, status >= 500 || status === 408 || status === 429);
}

function pageOf(body: string): Page {
  const broken = (what: string): ApiSourceError =>
    new ApiSourceError("fetch_error", `the list response ${what}`, false);
  let list: JsonValue;
  try {
    list = parseJson(body);
  } catch (error) {
    if (error instanceof JsonError) throw broken(`is not valid JSON: ${error.message}`);
    throw error;
  }
  if (!isJsonObject(list)) throw broken("is not an object");
  const { items, total } = list;
  // The HyperFleet API sends null for an empty page.
  const all: readonly JsonValue[] | undefined = Array.isArray(items) ? items : items === null ? [] : undefined;
  if (all === undefined) throw broken("has no items");
  const objects = all.flatMap((item) => (isJsonObject(item) ? [item] : []));
  if (objects.length < all.length) throw broken("has items that are not objects");
  if (typeof total !== "number") throw broken("has no total");
  return { items: objects, total };
}
