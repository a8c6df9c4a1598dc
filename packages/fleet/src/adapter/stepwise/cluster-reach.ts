import { isAbort, toError } from "@levelset/core";
import type { Clock, Fetch } from "@levelset/core";

/** An informer that still watches tries again within half a minute. A failure that is older belongs to one that has ended. */
const FAILURE_MS = 2 * 60_000;

/**
 * Whether the watches of a cluster get through. Steps read from informers, which go on with what they have when a watch fails: what they
 * say then is about a cluster that the adapter cannot see.
 */
export class ClusterReach {
  readonly #beyond: Fetch;
  readonly #clock: Clock;
  /** The lists and watches that fail, by their path. */
  readonly #failures = new Map<string, { readonly at: number; readonly message: string }>();

  /** Called when the last failing list or watch gets through again. */
  readonly #onReach: () => void;

  constructor(beyond: Fetch, clock: Clock, onReach: () => void = () => {}) {
    this.#beyond = beyond;
    this.#clock = clock;
    this.#onReach = onReach;
  }

  /** Sends a request to the cluster. */
  readonly fetch: Fetch = async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method !== "GET" || !isCollection(searchParams)) return this.#beyond(request);
    try {
      const response = await this.#beyond(request);
      if (isOutage(response.status)) this.#fail(pathname, `the server answered ${response.status}`);
      else if (this.#failures.delete(pathname) && this.#failures.size === 0) this.#onReach();
      return response;
    } catch (error) {
      if (!isAbort(error) && !request.signal.aborted) this.#fail(pathname, toError(error).message);
      throw error;
    }
  };

  /** What keeps the adapter from seeing its cluster; undefined if nothing does. */
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

/** Whether a request lists or watches, as informers do. */
function isCollection(query: URLSearchParams): boolean {
  return query.get("watch") === "true" || query.has("limit") || query.has("resourceVersion");
}

/** Answers about the server or the caller. Others are about the kind, such as 404, or about the revision, such as 410. */
function isOutage(status: number): boolean {
  return status >= 500 || status === 401 || status === 403 || status === 408 || status === 429;
}
