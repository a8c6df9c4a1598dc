import { isExpired, randomInt, StatusError, toError, TransportError } from "@levelset/core";
import type { Clock, Kind, KubeObject, Logger, ObjectKey, ObjectOf, Random } from "@levelset/core";
import type { Client, Selection } from "../client/index.ts";
import { backoffMs } from "../queue/index.ts";
import { ObjectStore } from "./object-store.ts";
import type { ObjectChange } from "./object-store.ts";
import { EMPTY, next } from "./watch-state.ts";
import type { WatchInput, WatchState } from "./watch-state.ts";

/** Objects per page of a list. */
const PAGE_SIZE = 500;
/** How long a watch is asked to last. Random, so that many watches do not end together. */
const WATCH_SECONDS = { min: 300, max: 600 } as const;
/** How much longer than asked a watch may last before it is taken for dead. */
const WATCH_GRACE_MS = 30_000;
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
}

/** Told of every change that the watch brings; our own writes are not among them. */
export type ChangeListener<O extends KubeObject> = (change: ObjectChange<O>) => void;

/**
 * Keeps a local copy of a collection: lists it, then follows its watch for ever, through cut connections, expired revisions and
 * server failures. The driver of `watch-state.ts`; nothing is awaited between the socket and the store, so order is the server's.
 */
export class Informer<K extends Kind> {
  readonly kind: K;
  readonly #options: InformerOptions<K>;
  readonly #store = new ObjectStore<ObjectOf<K>>();
  readonly #listeners = new Set<ChangeListener<ObjectOf<K>>>();
  readonly #synced = Promise.withResolvers<void>();
  #state: WatchState<ObjectOf<K>> = EMPTY;
  #failures = 0;

  constructor(options: InformerOptions<K>) {
    this.kind = options.kind;
    this.#options = options;
  }

  /** Resolves once the first whole list is in the store. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** The newest known version, frozen; undefined when there is none. */
  get(key: ObjectKey): ObjectOf<K> | undefined {
    return this.#store.get(key);
  }

  /** All known objects, frozen. */
  list(): readonly ObjectOf<K>[] {
    return this.#store.list();
  }

  /** Calls `listener` for every change from now on. */
  subscribe(listener: ChangeListener<ObjectOf<K>>): void {
    this.#listeners.add(listener);
  }

  /** Takes the answer to one of our own writes, so that the next read sees it. Listeners are not told. */
  observe(object: ObjectOf<K>): void {
    this.#store.put(slim(object));
  }

  /** Takes the answer to a read that found nothing. Listeners are not told. */
  forget(object: ObjectOf<K>): void {
    this.#store.remove(object);
  }

  /** Follows the collection until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await (this.#state.phase === "watching"
          ? this.#watch(this.#state.resourceVersion, signal)
          : this.#list(signal));
      } catch (error) {
        if (signal.aborted) return;
        await this.#recover(toError(error), signal);
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { client, kind, selection } = this.#options;
    const continueToken = this.#state.phase === "listing" ? this.#state.continueToken : undefined;
    const page = await client.list(kind, { ...selection, limit: PAGE_SIZE, continue: continueToken, signal });
    this.#take({ kind: "page", page });
    if (this.#state.phase === "watching") this.#synced.resolve();
  }

  async #watch(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const { client, kind, selection, clock, random } = this.#options;
    const timeoutSeconds = randomInt(random, WATCH_SECONDS.min, WATCH_SECONDS.max);
    const watch = new AbortController();
    const stop = (): void => watch.abort();
    signal.addEventListener("abort", stop, { once: true });
    const deadline = clock.after(timeoutSeconds * 1_000 + WATCH_GRACE_MS, stop);
    const startedAt = clock.now();
    let events = 0;
    try {
      const options = { ...selection, resourceVersion, timeoutSeconds, signal: watch.signal };
      for await (const batch of client.watchBatches(kind, options)) {
        events += batch.length;
        for (const event of batch) this.#take({ kind: "event", event });
      }
    } catch (error) {
      // Our own deadline: the connection is dead, and another watch from where we are loses nothing.
      if (watch.signal.aborted && !signal.aborted) return;
      throw error;
    } finally {
      deadline.cancel();
      signal.removeEventListener("abort", stop);
    }
    if (events === 0 && !signal.aborted && clock.now() - startedAt < SHORTEST_WATCH_MS) {
      throw new TransportError("the watch ended as soon as it began");
    }
  }

  async #recover(error: Error, signal: AbortSignal): Promise<void> {
    const { clock, random, logger, kind } = this.#options;
    if (isExpired(error)) {
      logger.debug("relisting, the watched revision is no longer kept", { kind: kind.kind });
      this.#take({ kind: "expired" });
      return;
    }
    this.#failures++;
    const delayMs = retryAfterMs(error) ?? backoffMs(this.#failures, RETRY, random);
    logger.warn("watch interrupted", {
      kind: kind.kind,
      error,
      retryMs: Math.round(delayMs),
      failures: this.#failures,
    });
    try {
      await clock.sleep(delayMs, signal);
    } catch (aborted) {
      if (!signal.aborted) throw aborted;
    }
  }

  #take(input: WatchInput<ObjectOf<K>>): void {
    if (input.kind !== "expired") this.#failures = 0;
    const { state, change } = next(this.#state, input);
    this.#state = state;
    if (change.kind === "replace") {
      this.#tell(this.#store.replace(change.objects.map(slim), change.resourceVersion));
    } else if (change.kind !== "none") {
      const object = slim(change.object);
      const told = change.kind === "put" ? this.#store.put(object) : this.#store.remove(object);
      this.#tell(told === undefined ? [] : [told]);
    }
  }

  #tell(changes: readonly ObjectChange<ObjectOf<K>>[]): void {
    for (const change of changes) for (const listener of this.#listeners) listener(change);
  }
}

/** Without managedFields: often half of an object, and of no use to a controller. */
function slim<O extends KubeObject>(object: O): O {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function retryAfterMs(error: Error): number | undefined {
  const seconds = error instanceof StatusError ? error.details?.retryAfterSeconds : undefined;
  return seconds === undefined ? undefined : seconds * 1_000;
}
