/**
 * A client of the fleet's API for every place that has `fetch`: Node, browsers, workers.
 *
 * Reads are repeated until they are answered; so are writes, which carry a key by which the server knows them again. A refusal is a
 * `FleetProblem` that says what it means and names the fields; no answer at all is a `TransportError`. Every call takes a signal.
 */
import { InputError, realClock, realRandom } from "@levelset/core";
import type { Clock, Fetch, JsonObject, Random } from "@levelset/core";
import { BASE_PATH, DEFAULT_ENTITIES } from "../resource/index.ts";
import { FleetCollection } from "./collection.ts";
import type { CallOptions, KindNames } from "./collection.ts";
import { exchange } from "./exchange.ts";
import type { ExchangeWorld, RetryOptions, TokenSource } from "./exchange.ts";
import { describedKinds } from "./kind-description.ts";
import type { KindDescription } from "./kind-description.ts";
import { PAGE_MAX, pages } from "./pages.ts";
import type { WireJournalEntry } from "./wire.ts";

/** How to reach a fleet. */
export interface FleetClientOptions {
  /** Scheme, host and port of the API, with or without its base path: `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Sends a request. Default: the platform's. */
  readonly fetch?: Fetch;
  /** The bearer token, or what gives it. */
  readonly token?: string | TokenSource;
  /** Sent with every request: those of a tenant, say. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly random?: Random;
  /** How long one try may take. Default 30 s. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
}

/** A fleet, over HTTP. */
export class FleetClient {
  readonly #world: ExchangeWorld;
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

  /** Where the API is. */
  get url(): string {
    return `${this.#world.origin}${this.#basePath}`;
  }

  /** The resources of a kind: all of them, or below a parent only its children. Kinds that have a parent are created there. */
  collection<Spec extends JsonObject = JsonObject>(
    kind: KindNames,
    parent?: { readonly href: string },
  ): FleetCollection<Spec> {
    return new FleetCollection<Spec>(this.#world, `${parent?.href ?? this.#basePath}/${kind.plural}`, kind);
  }

  /** Who changed what, the newest first; of one resource also after it is gone. */
  audit(
    options: CallOptions & { readonly resourceId?: string } = {},
  ): AsyncGenerator<WireJournalEntry, void, undefined> {
    const { resourceId, signal } = options;
    const query = { resource_id: resourceId };
    const path = `${this.#basePath}/audit`;
    return pages(this.#world, { path, query, pageSize: PAGE_MAX, first: {}, cursor: "before", signal });
  }

  /** The kinds of the fleet, as the server describes them; the default ones for a server that does not. */
  async kinds({ signal }: CallOptions = {}): Promise<readonly KindDescription[]> {
    const path = `${this.#basePath}/openapi`;
    const { json } = await exchange(this.#world, { method: "GET", path, signal });
    return describedKinds(json) ?? describedKinds({ "x-levelset-kinds": DEFAULT_ENTITIES }) ?? [];
  }
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/u.test(url.protocol) && url.username === "" && url.password === "") return url;
  throw new InputError(`${JSON.stringify(hidden(url, text))} is not the address of an API`, {
    hint: "write http://HOST:PORT or https://HOST:PORT; credentials go into a token",
  });
}

/** Credentials in an address are not shown again. */
function hidden(url: URL | undefined, text: string): string {
  return url === undefined ? text.replace(/\/\/[^/@]*@/u, "//***@") : `${url.protocol}//${url.host}${url.pathname}`;
}
