import type { Store, StoredRecord, StoreWatch } from "../store/index.ts";
import type { IsValueTaken, UniqueValuesOf } from "../resource/index.ts";
import type { PendingWrites } from "./pending-writes.ts";

/** Index of unique values per resource, including pending writes. Updated incrementally from a watch of the store. */
export class UniqueValues {
  readonly #store: Store;
  readonly #pending: PendingWrites;
  readonly #indexes = new Map<string, ValueIndex>();

  constructor(store: Store, pending: PendingWrites) {
    this.#store = store;
    this.#pending = pending;
  }

  /** Returns a lookup of the current values. Each resource must always be used with the same `valuesOf`. */
  of(resource: string, valuesOf: UniqueValuesOf): IsValueTaken {
    const index = this.#indexes.get(resource) ?? new ValueIndex(this.#store, resource, valuesOf);
    this.#indexes.set(resource, index);
    index.catchUp();
    const coming = [...this.#pending.of(resource)];
    return (value, uid) =>
      index.isHeld(value, uid) ||
      coming.some((object) => object.metadata.uid !== uid && valuesOf(object).includes(value));
  }
}

/** Values of stored objects, as of the last catch-up with the store. */
class ValueIndex {
  readonly #store: Store;
  readonly #resource: string;
  readonly #valuesOf: UniqueValuesOf;
  #watch: StoreWatch | undefined;
  /** uid → values of the object. */
  readonly #values = new Map<string, readonly string[]>();
  /** value → uids of the objects that have it, usually one. */
  readonly #holders = new Map<string, ReadonlySet<string>>();

  constructor(store: Store, resource: string, valuesOf: UniqueValuesOf) {
    this.#store = store;
    this.#resource = resource;
    this.#valuesOf = valuesOf;
  }

  isHeld(value: string, uid: string): boolean {
    const holders = this.#holders.get(value);
    return holders !== undefined && holders.size > (holders.has(uid) ? 1 : 0);
  }

  catchUp(): void {
    // The watch ended because of its backlog limit: rebuild from a list.
    if (this.#watch === undefined || this.#watch.endReason !== undefined) return this.#startOver();
    for (const { kind, record } of this.#watch.take(Number.MAX_SAFE_INTEGER)) {
      this.#set(record, kind === "deleted" ? [] : this.#valuesOf(record.object));
    }
  }

  #startOver(): void {
    this.#values.clear();
    this.#holders.clear();
    const scope = { resource: this.#resource };
    const [watch, listing] = [this.#store.watch(scope, this.#store.revision, () => {}), this.#store.list(scope)];
    this.#watch = watch.kind === "watch" ? watch : undefined;
    if (listing.kind === "compacted") return;
    for (const record of listing.records) this.#set(record, this.#valuesOf(record.object));
  }

  #set({ object }: StoredRecord, values: readonly string[]): void {
    const { uid } = object.metadata;
    for (const value of this.#values.get(uid) ?? []) this.#hold(value, (holders) => holders.delete(uid));
    for (const value of values) this.#hold(value, (holders) => holders.add(uid));
    if (values.length === 0) this.#values.delete(uid);
    else this.#values.set(uid, values);
  }

  #hold(value: string, change: (holders: Set<string>) => void): void {
    const holders = new Set(this.#holders.get(value));
    change(holders);
    if (holders.size === 0) this.#holders.delete(value);
    else this.#holders.set(value, holders);
  }
}
