import { compareResourceVersions, isExpired, randomInt, StatusError, toError, TransportError } from "@levelset/core";
import type { Clock, KubeObject, Logger, Random } from "@levelset/core";
import { backoffMs } from "../queue/index.ts";
import { Cadence } from "./cadence.ts";
import type { ListWatch, Selection } from "./list-watch.ts";
import { EMPTY, next } from "./watch-state.ts";
import type { StoreChange, WatchInput, WatchState } from "./watch-state.ts";

/** Objects per page of a list. */
const PAGE_SIZE = 500;
/** How long a watch is asked to last. Random, so that many watches do not end together. */
const WATCH_SECONDS = { min: 300, max: 600 } as const;
/** How much longer than asked a watch may last before it is taken for dead. */
const WATCH_GRACE_MS = 30_000;
/** How long the beginning of a streamed list may pause before the server is taken for one that does not stream lists. */
const STREAM_PAUSE_MS = 10_000;
/** A watch that ends sooner than this without an event counts as a failure, so that it cannot spin. */
const SHORTEST_WATCH_MS = 1_000;
const RETRY = { firstMs: 200, maxMs: 30_000 } as const;

/** What a reflector follows, where changes go, and the world it lives in. */
export interface ReflectorOptions<O extends KubeObject> {
  readonly source: ListWatch<O>;
  readonly selection: Selection;
  /** Receives every change, in the order of the server. */
  readonly onChange: (change: ReflectedChange<O>) => void;
  /** Called whenever a try failed, the server answers again, or a list is here. */
  readonly onHealth: () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** How long to wait at most before what failed is tried again. Default 30 s. */
  readonly retryMaxMs?: number | undefined;
}

/** A change of the collection. */
export type ReflectedChange<O extends KubeObject> =
  | Exclude<StoreChange<O>, { readonly kind: "replace" }>
  | {
      readonly kind: "replace";
      readonly objects: readonly O[];
      readonly resourceVersion: string;
      readonly isFirst: boolean;
      /** Lists never go back: this one is of another history, such as that of a backup, where earlier versions mean nothing. */
      readonly isOtherHistory: boolean;
    };

/** How a reflector is doing. */
export interface ReflectorHealth {
  readonly isSynced: boolean;
  /** Whether a new list was asked for and is not here yet. */
  readonly isRefreshing: boolean;
  /** How far it has come. */
  readonly resourceVersion: string | undefined;
  /** When the server was last heard of: an event, a bookmark, a list. */
  readonly heardAt: number | undefined;
  readonly lists: number;
  readonly connects: number;
  /** Failures in a row. */
  readonly failures: number;
  /** What the last try failed with, until the server answers again: also with a watch on which nothing happens yet. */
  readonly failure: Error | undefined;
}

/** How a connection went. */
interface Connected {
  readonly events: number;
  readonly end: "server" | "silent" | "interrupted";
}

/**
 * Follows a collection for ever: gets it all, then watches it, through cut and dead connections, expired revisions and server failures. It
 * keeps no objects. The driver of `watch-state.ts`; nothing is awaited between the socket and `onChange`, so order is the server's.
 */
export class Reflector<O extends KubeObject> {
  readonly #options: ReflectorOptions<O>;
  readonly #synced = Promise.withResolvers<void>();
  readonly #cadence = new Cadence();
  #refreshed: PromiseWithResolvers<void> | undefined;
  #interrupt: () => void = () => {};
  #isSynced = false;
  #state: WatchState<O> = EMPTY;
  /** How far the server has told us of this history. */
  #reached: string | undefined;
  #canStream = true;
  #failures = 0;
  #failure: Error | undefined;
  #heardAt: number | undefined;
  #lists = 0;
  #connects = 0;

  constructor(options: ReflectorOptions<O>) {
    this.#options = options;
  }

  /** Resolves once the whole collection is here for the first time. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** How it is doing. */
  get health(): ReflectorHealth {
    return {
      isSynced: this.#isSynced,
      isRefreshing: this.#refreshed !== undefined,
      resourceVersion: this.#state.phase === "watching" ? this.#state.resourceVersion : undefined,
      heardAt: this.#heardAt,
      lists: this.#lists,
      connects: this.#connects,
      failures: this.#failures,
      failure: this.#failure,
    };
  }

  /** Starts over with a new list; resolves when it is here, or when nobody follows any more. */
  refresh(): Promise<void> {
    this.#take({ kind: "expired" });
    this.#refreshed ??= Promise.withResolvers();
    this.#interrupt();
    return this.#refreshed.promise;
  }

  /** Follows the collection until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#advance(signal);
      } catch (error) {
        if (signal.aborted) break;
        await this.#recover(toError(error), signal);
      }
    }
    this.#settle();
  }

  #settle(): void {
    this.#refreshed?.resolve();
    this.#refreshed = undefined;
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
    const asked = this.#state;
    const page = await source.list({ ...selection, limit: PAGE_SIZE, continue: continueToken, signal });
    // Somebody asked for a new list meanwhile: this page belongs to the old one.
    if (this.#state === asked) this.#take({ kind: "page", page });
  }

  /** The whole collection as the beginning of a watch. A server that does not know this is asked for pages from then on. */
  async #stream(signal: AbortSignal): Promise<void> {
    this.#lists++;
    try {
      const { end } = await this.#connect({ resourceVersion: "", sendInitialEvents: true }, signal);
      if (this.#state.phase !== "watching" && end !== "interrupted") this.#canStream = false;
    } catch (error) {
      if (!(error instanceof StatusError) || error.remedy !== "never") throw error;
      this.#canStream = false;
    }
    this.#take({ kind: "cut" });
  }

  async #watch(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const startedAt = this.#options.clock.monotonic();
    const { events } = await this.#connect({ resourceVersion }, signal);
    if (events === 0 && !signal.aborted && this.#options.clock.monotonic() - startedAt < SHORTEST_WATCH_MS) {
      throw new TransportError("the watch ended as soon as it began");
    }
  }

  /** One connection, until somebody ends it. */
  async #connect(
    from: { readonly resourceVersion: string; readonly sendInitialEvents?: boolean },
    signal: AbortSignal,
  ): Promise<Connected> {
    const { source, selection, clock, random } = this.#options;
    const timeoutSeconds = randomInt(random, WATCH_SECONDS.min, WATCH_SECONDS.max);
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
    let idle = this.#idleTimer(onSilence);
    this.#connects++;
    this.#cadence.restart();
    let events = 0;
    try {
      const onOpen = (): void => {
        if (this.#failure === undefined) return;
        this.#failure = undefined;
        this.#options.onHealth();
      };
      const options = { ...selection, ...from, timeoutSeconds, onOpen, signal: connection.signal };
      for await (const batch of source.watch(options)) {
        events += batch.length;
        if (batch.some(({ type }) => type === "BOOKMARK")) this.#cadence.observe(clock.monotonic());
        this.#take({ kind: "events", events: batch });
        idle.cancel();
        idle = this.#idleTimer(onSilence);
      }
    } catch (error) {
      // We ended it ourselves: another connection from where we are loses nothing.
      if (!connection.signal.aborted || signal.aborted) throw error;
    } finally {
      deadline.cancel();
      idle.cancel();
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
      logger.debug("relisting, the watched revision is no longer kept", { kind: source.kind });
      this.#take({ kind: "expired" });
      return;
    }
    this.#take({ kind: "cut" });
    this.#failures++;
    this.#failure = error;
    this.#options.onHealth();
    const { retryMaxMs = RETRY.maxMs } = this.#options;
    const retryMs = retryAfterMs(error) ?? backoffMs(this.#failures, { ...RETRY, maxMs: retryMaxMs }, random);
    logger.warn("watch interrupted", {
      kind: source.kind,
      error,
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
    const before = { isSynced: this.#isSynced, failure: this.#failure, refreshed: this.#refreshed };
    if (input.kind === "page" || input.kind === "events") {
      this.#failures = 0;
      this.#failure = undefined;
      this.#heardAt = this.#options.clock.now();
    }
    const { state, changes } = next(this.#state, input);
    this.#state = state;
    for (const change of changes) this.#apply(change);
    if (state.phase === "watching") this.#reached = state.resourceVersion;
    const isSame = before.isSynced === this.#isSynced && before.refreshed === this.#refreshed;
    if (!isSame || before.failure !== this.#failure) this.#options.onHealth();
  }

  #apply(change: StoreChange<O>): void {
    const { onChange } = this.#options;
    if (change.kind !== "replace") return onChange(change);
    const { resourceVersion } = change;
    const isOtherHistory = this.#reached !== undefined && compareResourceVersions(resourceVersion, this.#reached) < 0;
    onChange({ ...change, isFirst: !this.#isSynced, isOtherHistory });
    this.#isSynced = true;
    this.#synced.resolve();
    this.#settle();
  }
}

function retryAfterMs(error: Error): number | undefined {
  const seconds = error instanceof StatusError ? error.details?.retryAfterSeconds : undefined;
  return seconds === undefined ? undefined : seconds * 1_000;
}
