import { onAbort } from "@levelset/core/internal";
import type { Clock, Logger, Random } from "@levelset/core";
import type { FleetStore } from "../../store/index.ts";
import { HttpProblem } from "../http-problem.ts";
import type { HandlerResponse } from "../route.ts";
import type { Watcher, WatchQuery } from "../watcher.ts";
import { ChangeHub } from "./change-hub.ts";
import { WatchSubscription } from "./watch-subscription.ts";
import { WatchStream } from "./watch-stream.ts";

const WATCHERS_MAX = 1_000;
const BACKLOG_MAX = 10_000;
/**
 * Watches are closed after this time, so that tokens are validated again and watchers are balanced over the processes.
 */
const LASTS_MS = 30 * 60_000;

/** Options of {@link FeedWatcher}. */
export interface FeedWatcherOptions {
  readonly store: Pick<FleetStore, "feed" | "feedEnd" | "list" | "onCommit">;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The maximum number of watches. Default 1,000. */
  readonly watchersMax?: number;
  /** The maximum number of buffered changes for a slow watcher. Default 10,000. */
  readonly backlogMax?: number;
}

/** Serves watches as server-sent events from the store's feed. */
export class FeedWatcher implements Watcher {
  readonly #options: FeedWatcherOptions;
  readonly #hub: ChangeHub;
  #watchers = 0;

  constructor(options: FeedWatcherOptions) {
    this.#options = options;
    this.#hub = new ChangeHub(options);
  }

  /** The number of watches. */
  get watchers(): number {
    return this.#watchers;
  }

  async watch(query: WatchQuery): Promise<HandlerResponse> {
    // A client without a position sends an empty one.
    const request = query.lastEventId === "" ? { ...query, lastEventId: undefined } : query;
    const release = this.#enter(request.signal);
    try {
      await this.#checkPosition(request);
    } catch (error) {
      release();
      throw error;
    }
    const overrun = new AbortController();
    return {
      status: 200,
      headers: { "cache-control": "no-store", "x-accel-buffering": "no" },
      body: {
        kind: "stream",
        chunks: this.#chunks(request, overrun, release),
        contentType: "text/event-stream",
        abort: overrun.signal,
      },
    };
  }

  async *#chunks(request: WatchQuery, overrun: AbortController, release: () => void): AsyncGenerator<string> {
    const { store, clock, random, backlogMax = BACKLOG_MAX } = this.#options;
    const subscription = new WatchSubscription({ backlogMax, clock, onOverrun: () => overrun.abort() });
    using _ = onAbort(request.signal, () => subscription.end("closed"));
    const lastsMs = LASTS_MS * (1 + random.next() / 10);
    try {
      yield* new WatchStream({ request, store, hub: this.#hub, subscription, clock, lifetimeMs: lastsMs }).chunks();
    } finally {
      this.#hub.unsubscribe(subscription);
      release();
    }
  }

  /** A stream that is never read does not end by itself: the signal also releases its place. */
  #enter(signal: AbortSignal): () => void {
    if (this.#watchers >= (this.#options.watchersMax ?? WATCHERS_MAX)) {
      throw new HttpProblem("SVC-002", "too many open watches", { headers: { "retry-after": "5" } });
    }
    this.#watchers += 1;
    let isIn = true;
    const release = (): void => {
      if (isIn) this.#watchers -= 1;
      isIn = false;
      signal.removeEventListener("abort", release);
    };
    signal.addEventListener("abort", release);
    if (signal.aborted) release();
    return release;
  }

  async #checkPosition({ caller, lastEventId }: WatchQuery): Promise<void> {
    if (lastEventId === undefined) return;
    const part = await this.#options.store.feed({ scope: caller.scope, after: lastEventId, limit: 1 });
    if (part.kind === "changes") return;
    throw new HttpProblem("NTF-004", "the watch position has expired: list again");
  }
}
