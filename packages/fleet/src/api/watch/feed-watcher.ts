import type { Clock, Logger, Random } from "@levelset/core";
import type { FleetStore } from "../../store/index.ts";
import { Problem } from "../problem.ts";
import type { Answer } from "../route.ts";
import type { Watcher, WatchRequest } from "../watcher.ts";
import { ChangeHub } from "./change-hub.ts";
import { Subscription } from "./subscription.ts";
import { WatchStream } from "./watch-stream.ts";

const WATCHERS_MAX = 1_000;
const BACKLOG_MAX = 10_000;
/** So that tokens are looked at again, and watchers spread over the processes that there are. */
const LASTS_MS = 30 * 60_000;

/** What watching needs. */
export interface FeedWatcherOptions {
  readonly store: Pick<FleetStore, "feed" | "feedEnd" | "list" | "onCommit">;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** How many may watch at once. Default 1,000. */
  readonly watchersMax?: number;
  /** How many changes are kept for a watcher that does not read. Default 10,000. */
  readonly backlogMax?: number;
}

/** Answers watches with server-sent events, out of the feed of the store. */
export class FeedWatcher implements Watcher {
  readonly #options: FeedWatcherOptions;
  readonly #hub: ChangeHub;
  #watchers = 0;

  constructor(options: FeedWatcherOptions) {
    this.#options = options;
    this.#hub = new ChangeHub(options);
  }

  /** How many watch. */
  get watchers(): number {
    return this.#watchers;
  }

  async watch(given: WatchRequest): Promise<Answer> {
    // An empty position is what a client sends that has none yet.
    const request = given.lastEventId === "" ? { ...given, lastEventId: undefined } : given;
    const release = this.#enter(request.signal);
    try {
      await this.#checkPosition(request);
    } catch (error) {
      release();
      throw error;
    }
    const cut = new AbortController();
    return {
      status: 200,
      headers: { "cache-control": "no-store", "x-accel-buffering": "no" },
      body: {
        kind: "stream",
        chunks: this.#chunks(request, cut, release),
        contentType: "text/event-stream",
        cut: cut.signal,
      },
    };
  }

  async *#chunks(request: WatchRequest, cut: AbortController, release: () => void): AsyncGenerator<string> {
    const { store, clock, random, backlogMax = BACKLOG_MAX } = this.#options;
    const subscription = new Subscription({ backlogMax, onOverrun: () => cut.abort() });
    const onAbort = (): void => subscription.end("closed");
    if (request.signal.aborted) onAbort();
    request.signal.addEventListener("abort", onAbort, { once: true });
    const lastsMs = LASTS_MS * (1 + random.next() / 10);
    try {
      yield* new WatchStream({ request, store, hub: this.#hub, subscription, clock, lastsMs }).chunks();
    } finally {
      this.#hub.unsubscribe(subscription);
      request.signal.removeEventListener("abort", onAbort);
      release();
    }
  }

  /** A stream that nobody begins to read has no end of its own: the signal frees its place, too. */
  #enter(signal: AbortSignal): () => void {
    if (this.#watchers >= (this.#options.watchersMax ?? WATCHERS_MAX)) {
      throw new Problem("SVC-002", "too many are watching", { headers: { "retry-after": "5" } });
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

  async #checkPosition({ caller, lastEventId }: WatchRequest): Promise<void> {
    if (lastEventId === undefined) return;
    const part = await this.#options.store.feed({ scope: caller.scope, after: lastEventId, limit: 1 });
    if (part.kind === "changes") return;
    throw new Problem("NTF-004", "what happened since that position is no longer known: list again");
  }
}
