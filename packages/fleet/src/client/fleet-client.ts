/**
 * A client of the fleet API for every platform with `fetch`: Node, browsers, workers.
 *
 * Reads are retried; so are writes, which carry an idempotency key. An error response is a `FleetApiError` with a kind
 * and the fields; no response is a `TransportError`. Every call takes a signal.
 */
import { InputError, realClock, realRandom } from "@levelset/core";
import type { Clock, Fetch, JsonObject, Random } from "@levelset/core";
import { BASE_PATH, DEFAULT_ENTITIES } from "../resource/index.ts";
import { FleetCollection } from "./collection.ts";
import type { FleetCallOptions, FleetKindNames } from "./collection.ts";
import { sendFleetRequest } from "./fleet-request.ts";
import type { HttpContext, RetryOptions, TokenSource } from "./fleet-request.ts";
import { describedKinds } from "./kind-description.ts";
import type { KindDescription } from "./kind-description.ts";
import { PAGE_MAX, listItems } from "./pages.ts";
import type { WireJournalEntry } from "./wire.ts";

/** Connection settings of a fleet client. */
export interface FleetClientOptions {
  /** Scheme, host and port of the API, with or without the base path: `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Sends a request. Default: the platform's. */
  readonly fetch?: Fetch;
  /** The bearer token, or a function that returns it. */
  readonly token?: string | TokenSource;
  /** Headers of every request, for example those of a tenant. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly random?: Random;
  /** The timeout of one attempt. Default 30 s. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
}

/** A client of the fleet API. */
export class FleetClient {
  readonly #world: HttpContext;
  readonly #basePath: string;

  constructor(options: FleetClientOptions) {
    const { token, headers = {}, clock = realClock, random = realRandom, timeoutMs = 30_000 } = options;
    const url = parseUrl(options.url);
    this.#basePath = url.pathname === "/" ? BASE_PATH : url.pathname.replace(/\/$/u, "");
    this.#world = {
      origin: url.origin,
      fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
      token: typeof token === "function" ? token : () => token,
      headers,
      clock,
      random,
      timeoutMs,
      retry: { triesMax: options.retry?.triesMax ?? 5, waitMaxMs: options.retry?.waitMaxMs ?? 30_000 },
    };
  }

  /** The URL of the API. */
  get url(): string {
    return `${this.#world.origin}${this.#basePath}`;
  }

  /**
   * Returns the resources of a kind: all of them, or the children of a parent. Kinds with a parent are created there.
   */
  collection<Spec extends JsonObject = JsonObject>(
    kind: FleetKindNames,
    parent?: { readonly href: string },
  ): FleetCollection<Spec> {
    return new FleetCollection<Spec>(this.#world, `${parent?.href ?? this.#basePath}/${kind.plural}`, kind);
  }

  /** Yields audit entries, newest first; entries of one resource are available after its removal. */
  audit(
    options: FleetCallOptions & { readonly resourceId?: string } = {},
  ): AsyncGenerator<WireJournalEntry, void, undefined> {
    const { resourceId, signal } = options;
    const query = { resource_id: resourceId };
    const path = `${this.#basePath}/audit`;
    return listItems(this.#world, { path, query, pageSize: PAGE_MAX, first: {}, cursor: "before", signal });
  }

  /** Returns the kinds of the fleet as the server describes them; the default kinds if it does not. */
  async kinds({ signal }: FleetCallOptions = {}): Promise<readonly KindDescription[]> {
    const path = `${this.#basePath}/openapi`;
    const { json } = await sendFleetRequest(this.#world, { method: "GET", path, signal });
    return describedKinds(json) ?? describedKinds({ "x-levelset-kinds": DEFAULT_ENTITIES }) ?? [];
  }
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/u.test(url.protocol) && url.username === "" && url.password === "") return url;
  throw new InputError(`invalid API URL ${JSON.stringify(hidden(url, text))}`, {
    hint: "use http://HOST:PORT or https://HOST:PORT; pass credentials as a token",
  });
}

/** Removes credentials from a URL in messages. */
function hidden(url: URL | undefined, text: string): string {
  return url === undefined ? text.replace(/\/\/[^/@]*@/u, "//***@") : `${url.protocol}//${url.host}${url.pathname}`;
}
