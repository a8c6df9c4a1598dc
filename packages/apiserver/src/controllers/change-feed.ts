import type { Store, StoredRecord, StoreKey, StoreWatch } from "../store/index.ts";

/** A change of one object. `previous` is absent for a new object, `current` for a removed one. */
export interface RecordChange {
  readonly key: StoreKey;
  readonly current: StoredRecord | undefined;
  readonly previous: StoredRecord | undefined;
}

/** Handles all writes of a store. */
export interface RecordChangeHandler {
  /** Discards all state. The current objects follow as changes. */
  onReset(): void;
  /** Called synchronously with the write, in the order of writes. Must not throw. */
  onChange(change: RecordChange): void;
}

/** Options of {@link ChangeFeed}. */
export interface ChangeFeedOptions {
  readonly store: Store;
  /** IDs of all resources that may have objects. */
  readonly resources: () => Iterable<string>;
}

/**
 * All writes of a store in one order. Handlers run before the write returns, so an index built from the feed is never
 * behind the store.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #subscribers: readonly RecordChangeHandler[];
  #watch: StoreWatch | undefined;
  #isClosed = false;

  constructor(options: ChangeFeedOptions, subscribers: readonly RecordChangeHandler[]) {
    this.#options = options;
    this.#subscribers = subscribers;
  }

  /** Reports all current objects, then every write. */
  start(): void {
    const { store, resources } = this.#options;
    const watch = store.watch({}, store.revision, () => this.#take());
    // The current revision is never compacted.
    if (watch.kind === "compacted") return;
    this.#watch = watch;
    for (const subscriber of this.#subscribers) subscriber.onReset();
    for (const resource of new Set(resources())) {
      const listing = store.list({ resource });
      if (listing.kind === "compacted") continue;
      for (const now of listing.records) this.#notify({ key: now.key, current: now, previous: undefined });
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#watch?.close();
  }

  #take(): void {
    const watch = this.#watch;
    if (watch === undefined || this.#isClosed) return;
    for (const event of watch.take(Number.MAX_SAFE_INTEGER)) {
      this.#notify({
        key: event.record.key,
        current: event.kind === "deleted" ? undefined : event.record,
        previous: event.kind === "created" ? undefined : event.previous,
      });
    }
    // Events were lost: start again from the current objects.
    if (watch.endReason === "slow" && this.#watch === watch) this.start();
  }

  #notify(change: RecordChange): void {
    for (const subscriber of this.#subscribers) subscriber.onChange(change);
  }
}
