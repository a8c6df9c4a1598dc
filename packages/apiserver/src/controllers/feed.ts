import type { Store, StoredRecord, StoreKey, StoreWatch } from "../store/index.ts";

/** What has become of one object. Both are absent for no object: of a new one `before`, of a removed one `now`. */
export interface Change {
  readonly key: StoreKey;
  readonly now: StoredRecord | undefined;
  readonly before: StoredRecord | undefined;
}

/** Somebody who follows all writes. */
export interface Follower {
  /** Everything known is void: what there is follows, object by object. */
  reset(): void;
  /** Called synchronously with the write, in the order of writes. Must not throw. */
  follow(change: Change): void;
}

/** What a feed needs. */
export interface FeedOptions {
  readonly store: Store;
  /** The ids of all resources that may have objects. */
  readonly resources: () => Iterable<string>;
}

/**
 * Every write of a store, in one order. Followers hear of a write before its writer does, so an index that follows is never
 * older than what the store answers.
 */
export class Feed {
  readonly #options: FeedOptions;
  readonly #followers: readonly Follower[];
  #watch: StoreWatch | undefined;
  #isClosed = false;

  constructor(options: FeedOptions, followers: readonly Follower[]) {
    this.#options = options;
    this.#followers = followers;
  }

  /** Tells followers of all there is, then of every write. */
  start(): void {
    const { store, resources } = this.#options;
    const watch = store.watch({}, store.revision, () => this.#take());
    // The present revision is in the history of every store.
    if (watch.kind === "compacted") return;
    this.#watch = watch;
    for (const follower of this.#followers) follower.reset();
    for (const resource of new Set(resources())) {
      const listing = store.list({ resource });
      if (listing.kind === "compacted") continue;
      for (const now of listing.records) this.#tell({ key: now.key, now, before: undefined });
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
      this.#tell({
        key: event.record.key,
        now: event.kind === "deleted" ? undefined : event.record,
        before: event.kind === "created" ? undefined : event.previous,
      });
    }
    // Events are lost: what there is now tells the same.
    if (watch.ended === "slow" && this.#watch === watch) this.start();
  }

  #tell(change: Change): void {
    for (const follower of this.#followers) follower.follow(change);
  }
}
