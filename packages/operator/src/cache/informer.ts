import { compareResourceVersions, isExpired, randomInt, StatusError, toError, TransportError } from "@levelset/core";
import type { Clock, Kind, KubeObject, Logger, ManagedFieldsEntry, ObjectKey, ObjectOf, Random } from "@levelset/core";
import type { Client, Selection } from "../client/index.ts";
import { backoffMs } from "../queue/index.ts";
import { Cadence } from "./cadence.ts";
import type { IndexFunction } from "./object-index.ts";
import { ObjectStore } from "./object-store.ts";
import type { ObjectChange } from "./object-store.ts";
import { slim } from "./slim.ts";
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

/** What an informer follows, and the world it lives in. */
export interface InformerOptions<K extends Kind> {
  readonly client: Client;
  readonly kind: K;
  readonly selection?: Selection;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** How long to wait at most before what failed is tried again. Default 30 s. */
  readonly retryMaxMs?: number | undefined;
}

/** Where a change comes from: the first list, a list after lost events, or the watch. */
export type Origin = "initial" | "relist" | "live";

/** What a listener is told besides the change. */
export interface ChangeContext {
  readonly origin: Origin;
  /** Who owns which fields of the new version: read, used for reasons, and not kept. */
  readonly managers: readonly ManagedFieldsEntry[];
}

/** Told of every change once, whether the watch brings it or the answer to a write of this process. */
export type ChangeListener<O extends KubeObject> = (change: ObjectChange<O>, context: ChangeContext) => void;

/** How an informer is doing. */
export interface InformerHealth {
  readonly kind: string;
  readonly selection: Selection;
  readonly isSynced: boolean;
  /** Whether a new list was asked for and is not here yet. */
  readonly isRefreshing: boolean;
  readonly objects: number;
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
 * Keeps a local copy of a collection: gets it all, then follows its watch for ever, through cut and dead connections, expired
 * revisions and server failures. The driver of `watch-state.ts`; nothing is awaited between the socket and the store, so order is
 * the server's.
 */
export class Informer<K extends Kind> {
  readonly kind: K;
  readonly selection: Selection;
  readonly #options: InformerOptions<K>;
  readonly #store = new ObjectStore<ObjectOf<K>>();
  readonly #listeners = new Set<ChangeListener<ObjectOf<K>>>();
  readonly #healthListeners = new Set<() => void>();
  readonly #synced = Promise.withResolvers<void>();
  readonly #cadence = new Cadence();
  #refreshed: PromiseWithResolvers<void> | undefined;
  #interrupt: () => void = () => {};
  #isSynced = false;
  #state: WatchState<ObjectOf<K>> = EMPTY;
  /** How far the server has told us of this history. */
  #reached: string | undefined;
  #canStream = true;
  #failures = 0;
  #failure: Error | undefined;
  #heardAt: number | undefined;
  #lists = 0;
  #connects = 0;

  constructor(options: InformerOptions<K>) {
    this.kind = options.kind;
    this.selection = options.selection ?? {};
    this.#options = options;
  }

  /** Resolves once the whole collection is in the store for the first time. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** How it is doing. */
  get health(): InformerHealth {
    return {
      kind: this.kind.kind,
      selection: this.selection,
      isSynced: this.#isSynced,
      isRefreshing: this.#refreshed !== undefined,
      objects: this.#store.size,
      resourceVersion: this.#state.phase === "watching" ? this.#state.resourceVersion : undefined,
      heardAt: this.#heardAt,
      lists: this.#lists,
      connects: this.#connects,
      failures: this.#failures,
      failure: this.#failure,
    };
  }

  /** The newest known version, frozen; undefined when there is none. */
  get(key: ObjectKey): ObjectOf<K> | undefined {
    return this.#store.get(key);
  }

  /** All known objects, frozen. */
  list(): readonly ObjectOf<K>[] {
    return this.#store.list();
  }

  /** Lets objects be found by values of theirs; see `byIndex`. */
  addIndex(name: string, valuesOf: IndexFunction<ObjectOf<K>>): void {
    this.#store.addIndex(name, valuesOf);
  }

  /** The known objects with a value. */
  byIndex(name: string, value: string): readonly ObjectOf<K>[] {
    return this.#store.byIndex(name, value);
  }

  /** Calls `listener` for every change from now on, after telling it of all that is known already. */
  subscribe(listener: ChangeListener<ObjectOf<K>>): () => void {
    for (const object of this.#store.list()) listener({ kind: "added", object }, { origin: "initial", managers: [] });
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` whenever a try failed, the server answers again, or a list is here. Returns what ends that. */
  subscribeHealth(listener: () => void): () => void {
    this.#healthListeners.add(listener);
    return () => this.#healthListeners.delete(listener);
  }

  /**
   * Takes the answer to one of our own writes, so that the next read sees it. Listeners are told now, for the watch's echo will be no
   * news: what one operator of a process writes, another one may wait for. Whoever wrote it knows it by its version.
   */
  observe(object: ObjectOf<K>): void {
    const managers = object.metadata.managedFields ?? [];
    this.#tell(this.#store.put(slim(object)), { origin: "live", managers });
  }

  /** Takes word that an object is gone, or no longer selected. Listeners are told now, as with `observe`. */
  forget(object: ObjectOf<K>): void {
    this.#tell(this.#store.bury(object.metadata, object.metadata.uid), { origin: "live", managers: [] });
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

  #notifyHealth(): void {
    for (const listener of this.#healthListeners) listener();
  }

  #advance(signal: AbortSignal): Promise<void> {
    const state = this.#state;
    if (state.phase === "watching") return this.#watch(state.resourceVersion, signal);
    if (state.phase === "empty" && this.#canStream) return this.#stream(signal);
    return this.#list(state.phase === "listing" ? state.continueToken : undefined, signal);
  }

  async #list(continueToken: string | undefined, signal: AbortSignal): Promise<void> {
    const { client, kind } = this.#options;
    if (continueToken === undefined) this.#lists++;
    const asked = this.#state;
    const page = await client.list(kind, { ...this.selection, limit: PAGE_SIZE, continue: continueToken, signal });
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
    const { client, kind, clock, random } = this.#options;
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
        this.#notifyHealth();
      };
      const options = { ...this.selection, ...from, timeoutSeconds, onOpen, signal: connection.signal };
      for await (const batch of client.watchBatches(kind, options)) {
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
    const { clock, random, logger, kind } = this.#options;
    if (isExpired(error)) {
      logger.debug("relisting, the watched revision is no longer kept", { kind: kind.kind });
      this.#take({ kind: "expired" });
      return;
    }
    this.#take({ kind: "cut" });
    this.#failures++;
    this.#failure = error;
    this.#notifyHealth();
    const { retryMaxMs = RETRY.maxMs } = this.#options;
    const retryMs = retryAfterMs(error) ?? backoffMs(this.#failures, { ...RETRY, maxMs: retryMaxMs }, random);
    logger.warn("watch interrupted", {
      kind: kind.kind,
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

  #take(input: WatchInput<ObjectOf<K>>): void {
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
    if (!isSame || before.failure !== this.#failure) this.#notifyHealth();
  }

  #apply(change: StoreChange<ObjectOf<K>>): void {
    if (change.kind === "replace") {
      const origin = this.#isSynced ? "relist" : "initial";
      // Lists never go back: this is another history, such as that of a backup, where our versions mean nothing.
      if (this.#reached !== undefined && compareResourceVersions(change.resourceVersion, this.#reached) < 0) {
        this.#tell(this.#store.clear(), { origin, managers: [] });
      }
      this.#tell(this.#store.replace(change.objects.map(slim), change.resourceVersion), { origin, managers: [] });
      this.#isSynced = true;
      this.#synced.resolve();
      this.#settle();
      return;
    }
    const object = slim(change.object);
    const told = change.kind === "put" ? this.#store.put(object) : this.#store.remove(object);
    this.#tell(told, { origin: "live", managers: change.object.metadata.managedFields ?? [] });
  }

  #tell(changes: readonly ObjectChange<ObjectOf<K>>[], context: ChangeContext): void {
    for (const change of changes) for (const listener of this.#listeners) listener(change, context);
  }
}

function retryAfterMs(error: Error): number | undefined {
  const seconds = error instanceof StatusError ? error.details?.retryAfterSeconds : undefined;
  return seconds === undefined ? undefined : seconds * 1_000;
}
