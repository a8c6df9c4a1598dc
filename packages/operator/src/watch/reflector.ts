import { backoffMs, BACKOFFS, randomInt, retryAfterOf, toError } from "@levelset/core/internal";
import { compareResourceVersions, isExpired, StatusError, TransportError } from "@levelset/core";
import type { Clock, KubeObject, Logger, Random } from "@levelset/core";
import { WatchHeartbeat } from "./watch-heartbeat.ts";
import type { ListWatch, ObjectSelector } from "./list-watch.ts";
import { INITIAL_WATCH_STATE, nextWatchState } from "./watch-state.ts";
import type { StoreChange, WatchInput, WatchState } from "./watch-state.ts";

/** Objects per page of a list. */
const PAGE_SIZE = 500;
/** Requested duration of a watch. Random, so that many watches do not end at the same time. */
const WATCH_SECONDS: WatchSeconds = { min: 300, max: 600 };
/** Time beyond the requested duration after which a watch is considered dead. */
const WATCH_GRACE_MS = 30_000;
/** Maximum pause in a streamed list. After it, the server is considered to lack streamed lists. */
const STREAM_PAUSE_MS = 10_000;
/** A watch that ends sooner without an event counts as a failure, which prevents a busy loop. */
const SHORTEST_WATCH_MS = 1_000;

/** Bounds of the requested duration of a watch. */
export interface WatchSeconds {
  readonly min: number;
  readonly max: number;
}

/** Options of {@link Reflector}. */
export interface ReflectorOptions<O extends KubeObject> {
  readonly source: ListWatch<O>;
  readonly selection: ObjectSelector;
  /** Receives every change, in the order of the server. */
  readonly onChange: (change: ReflectedChange<O>) => void;
  /** Called when an attempt fails, the server responds again, or a list is complete. */
  readonly onHealth: () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Maximum delay between retries. Default 30 s. */
  readonly retryMaxMs?: number | undefined;
  /** Default: five to ten minutes. */
  readonly watchSeconds?: WatchSeconds | undefined;
}

/** A change of the collection. */
export type ReflectedChange<O extends KubeObject> =
  | Exclude<StoreChange<O>, { readonly kind: "replace" }>
  | {
      readonly kind: "replace";
      readonly objects: readonly O[];
      readonly resourceVersion: string;
      readonly isFirst: boolean;
      /**
       * True if the list is older than an earlier one: the server has another history, such as a backup, and cached
       * versions are invalid.
       */
      readonly isOtherHistory: boolean;
    };

/** Health of a reflector. */
export interface ReflectorHealth {
  readonly isSynced: boolean;
  /** Whether a requested relist is in progress. */
  readonly isRefreshing: boolean;
  /** The latest resourceVersion received. */
  readonly resourceVersion: string | undefined;
  /** Time of the last event, bookmark or list from the server. */
  readonly lastEventAt: number | undefined;
  readonly lists: number;
  readonly connects: number;
  /** Number of consecutive failures. */
  readonly failures: number;
  /** Error of the last attempt; cleared when the server responds again, even to a watch without events. */
  readonly failure: Error | undefined;
}

/** The result of a connection. */
interface Connected {
  readonly events: number;
  readonly end: "server" | "silent" | "interrupted";
}

/**
 * Lists and watches a collection until it is stopped, across cut and dead connections, expired resourceVersions and
 * server failures. It stores no objects. It drives the state machine of `watch-state.ts`. Changes are passed to
 * `onChange` synchronously, in the order of the server. Errors are retried with backoff and reported in `health`; `run`
 * does not reject with them.
 */
export class Reflector<O extends KubeObject> {
  readonly #options: ReflectorOptions<O>;
  readonly #synced = Promise.withResolvers<void>();
  readonly #cadence = new WatchHeartbeat();
  #isRefreshing = false;
  #interrupt: () => void = () => {};
  #isSynced = false;
  #state: WatchState<O> = INITIAL_WATCH_STATE;
  /** The latest resourceVersion that the server has sent in this history. */
  #reached: string | undefined;
  #canStream = true;
  #failures = 0;
  #failure: Error | undefined;
  #lastEventAt: number | undefined;
  #lists = 0;
  #connects = 0;

  constructor(options: ReflectorOptions<O>) {
    this.#options = options;
  }

  /** Resolves after the first complete list. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** The current health. */
  get health(): ReflectorHealth {
    return {
      isSynced: this.#isSynced,
      isRefreshing: this.#isRefreshing,
      resourceVersion: this.#state.phase === "watching" ? this.#state.resourceVersion : undefined,
      lastEventAt: this.#lastEventAt,
      lists: this.#lists,
      connects: this.#connects,
      failures: this.#failures,
      failure: this.#failure,
    };
  }

  /** Whether a requested relist is in progress. */
  get isRefreshing(): boolean {
    return this.#isRefreshing;
  }

  /** Relists the collection. */
  refresh(): void {
    this.#take({ kind: "expired" });
    this.#isRefreshing = true;
    this.#interrupt();
  }

  /** Lists and watches the collection until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#advance(signal);
      } catch (error) {
        if (signal.aborted) break;
        await this.#recover(toError(error), signal);
      }
    }
  }

  #advance(signal: AbortSignal): Promise<void> {
    const state = this.#state;
    if (state.phase === "watching") return this.#watch(state.resourceVersion, signal);
    if (state.phase === "empty" && this.#canStream) return this.#stream(signal);
    return this.#list(state.phase === "listing" ? state.continueToken : undefined, signal);
  }

  async #list(continueToken: string | undefined, signal: AbortSignal): Promise<void> {
    const { source, selection } = this.#options;
    if (continueToken === undefined) this.#lists++;
    const requested = this.#state;
    const page = await source.list({ ...selection, limit: PAGE_SIZE, continue: continueToken, signal });
    // If a relist was requested meanwhile, this page belongs to the old list.
    if (this.#state === requested) this.#take({ kind: "page", page });
  }

  /**
   * Lists with a watch that sends initial events. If the server does not support it, lists are paginated from then on.
   */
  async #stream(signal: AbortSignal): Promise<void> {
    this.#lists++;
    try {
      const { end } = await this.#connect({ resourceVersion: "", sendInitialEvents: true }, signal);
      if (this.#state.phase !== "watching" && end !== "interrupted") this.#canStream = false;
    } catch (error) {
      if (!(error instanceof StatusError) || error.retryStrategy !== "never") throw error;
      this.#canStream = false;
    }
    this.#take({ kind: "disconnected" });
  }

  async #watch(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const startedAt = this.#options.clock.monotonic();
    const { events } = await this.#connect({ resourceVersion }, signal);
    if (events === 0 && !signal.aborted && this.#options.clock.monotonic() - startedAt < SHORTEST_WATCH_MS) {
      throw new TransportError("the watch ended as soon as it began");
    }
  }

  /** Runs one connection until either side ends it. */
  async #connect(
    from: { readonly resourceVersion: string; readonly sendInitialEvents?: boolean },
    signal: AbortSignal,
  ): Promise<Connected> {
    const { source, selection, clock, random, watchSeconds = WATCH_SECONDS } = this.#options;
    const timeoutSeconds = randomInt(random, watchSeconds.min, watchSeconds.max);
    const connection = new AbortController();
    let end: Connected["end"] = "server";
    const stop = (why: Connected["end"]): void => {
      end = why;
      connection.abort();
    };
    this.#interrupt = () => stop("interrupted");
    signal.addEventListener("abort", this.#interrupt, { once: true });
    const onSilence = (): void => stop("silent");
    const deadline = clock.after(timeoutSeconds * 1_000 + WATCH_GRACE_MS, onSilence);
    let idle: { cancel(): void } | undefined;
    const restartIdle = (): void => {
      idle?.cancel();
      idle = this.#idleTimer(onSilence);
    };
    this.#connects++;
    this.#cadence.restart();
    let events = 0;
    try {
      const onOpen = (): void => {
        if (this.#failure === undefined) return;
        this.#failure = undefined;
        this.#options.onHealth();
      };
      const options = { ...selection, ...from, timeoutSeconds, onSend: restartIdle, onOpen, signal: connection.signal };
      for await (const batch of source.watch(options)) {
        events += batch.length;
        if (batch.some(({ type }) => type === "BOOKMARK")) this.#cadence.observe(clock.monotonic());
        this.#take({ kind: "events", events: batch });
        restartIdle();
      }
    } catch (error) {
      // We closed the connection ourselves; the next one resumes without losing events.
      if (!connection.signal.aborted || signal.aborted) throw error;
    } finally {
      deadline.cancel();
      idle?.cancel();
      signal.removeEventListener("abort", this.#interrupt);
      this.#interrupt = () => {};
    }
    return { events, end };
  }

  #idleTimer(stop: () => void): { cancel(): void } {
    const ms = this.#state.phase === "watching" ? this.#cadence.idleMaxMs : STREAM_PAUSE_MS;
    return ms === undefined ? { cancel: () => {} } : this.#options.clock.after(ms, stop);
  }

  async #recover(error: Error, signal: AbortSignal): Promise<void> {
    const { clock, random, logger, source } = this.#options;
    if (isExpired(error)) {
      logger.debug("resourceVersion expired, relisting", { kind: source.kind });
      this.#take({ kind: "expired" });
      return;
    }
    this.#take({ kind: "disconnected" });
    this.#failures++;
    this.#failure = error;
    this.#options.onHealth();
    const { retryMaxMs: maxMs = BACKOFFS.watch.maxMs } = this.#options;
    const retryMs = retryAfterOf(error) ?? backoffMs(this.#failures, { ...BACKOFFS.watch, maxMs }, random);
    logger.warn("watch interrupted", {
      kind: source.kind,
      err: error,
      retryMs: Math.round(retryMs),
      failures: this.#failures,
    });
    try {
      await clock.sleep(retryMs, signal);
    } catch (aborted) {
      if (!signal.aborted) throw aborted;
    }
  }

  #take(input: WatchInput<O>): void {
    const before = { isSynced: this.#isSynced, failure: this.#failure, isRefreshing: this.#isRefreshing };
    if (input.kind === "page" || input.kind === "events") {
      this.#failures = 0;
      this.#failure = undefined;
      this.#lastEventAt = this.#options.clock.now();
    }
    const { state, changes } = nextWatchState(this.#state, input);
    this.#state = state;
    for (const change of changes) this.#apply(change);
    if (state.phase === "watching") this.#reached = state.resourceVersion;
    const isSame = before.isSynced === this.#isSynced && before.isRefreshing === this.#isRefreshing;
    if (!isSame || before.failure !== this.#failure) this.#options.onHealth();
  }

  #apply(change: StoreChange<O>): void {
    const { onChange } = this.#options;
    if (change.kind !== "replace") return onChange(change);
    const { resourceVersion } = change;
    const isOtherHistory = this.#reached !== undefined && compareResourceVersions(resourceVersion, this.#reached) < 0;
    onChange({ ...change, isFirst: !this.#isSynced, isOtherHistory });
    this.#isSynced = true;
    this.#isRefreshing = false;
    this.#synced.resolve();
  }
}
