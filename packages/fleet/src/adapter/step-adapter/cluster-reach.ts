import { isAbortError } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { Clock, Fetch } from "@levelset/core";

/** An active informer retries within half a minute. An older failure belongs to an informer that has ended. */
const FAILURE_MS = 2 * 60_000;

/**
 * Tracks whether lists and watches of a cluster succeed. Steps read from informers, whose caches go stale while a
 * watch fails: results are then based on a cluster that the adapter cannot observe.
 */
export class ClusterReach {
  readonly #beyond: Fetch;
  readonly #clock: Clock;
  /** Failing lists and watches by path. */
  readonly #failures = new Map<string, { readonly at: number; readonly message: string }>();

  /** Called when the last failing list or watch succeeds again. */
  readonly #onReach: () => void;

  constructor(beyond: Fetch, clock: Clock, onReach: () => void = () => {}) {
    this.#beyond = beyond;
    this.#clock = clock;
    this.#onReach = onReach;
  }

  /** Sends a request to the cluster and records the result of lists and watches. */
  readonly fetch: Fetch = async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method !== "GET" || !isCollection(searchParams)) return this.#beyond(request);
    try {
      const response = await this.#beyond(request);
      if (isOutage(response.status)) this.#fail(pathname, `the server answered ${response.status}`);
      else if (this.#failures.delete(pathname) && this.#failures.size === 0) this.#onReach();
      return response;
    } catch (error) {
      if (!isAbortError(error) && !request.signal.aborted) this.#fail(pathname, toError(error).message);
      throw error;
    }
  };

  /** Why the adapter cannot observe its cluster; undefined if it can. */
  get problem(): string | undefined {
    const now = this.#clock.monotonic();
    for (const [path, { at, message }] of this.#failures) {
      if (now - at < FAILURE_MS) return `GET ${path}: ${message}`;
      this.#failures.delete(path);
    }
    return undefined;
  }

  #fail(path: string, message: string): void {
    this.#failures.set(path, { at: this.#clock.monotonic(), message });
  }
}

/** Returns whether a request is a list or watch, as sent by informers. */
function isCollection(query: URLSearchParams): boolean {
  return query.get("watch") === "true" || query.has("limit") || query.has("resourceVersion");
}

/**
 * Statuses that concern the server or the caller. Others concern the kind, such as 404, or the resourceVersion, such
 * as 410.
 */
function isOutage(status: number): boolean {
  return status >= 500 || status === 401 || status === 403 || status === 408 || status === 429;
}
