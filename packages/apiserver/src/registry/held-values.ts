import type { ApiObject, Store, StoredRecord, StoreWatch } from "../store/index.ts";
import type { UnderWay } from "./under-way.ts";

/** What an object holds and no other may have at the same time, such as addresses, each as a text. */
export type ValuesOf = (object: ApiObject) => readonly string[];

/** Whether an object with another uid holds a value. */
export type IsHeld = (value: string, uid: string) => boolean;

/**
 * What the objects of some resources hold, those under way included. Kept along with the writes: to look through all objects with each
 * new one costs more with every one of them.
 */
export class HeldValues {
  readonly #store: Store;
  readonly #underWay: UnderWay;
  readonly #indexes = new Map<string, ValueIndex>();

  constructor(store: Store, underWay: UnderWay) {
    this.#store = store;
    this.#underWay = underWay;
  }

  /** What is held now. A resource has one `valuesOf`. */
  of(resource: string, valuesOf: ValuesOf): IsHeld {
    const index = this.#indexes.get(resource) ?? new ValueIndex(this.#store, resource, valuesOf);
    this.#indexes.set(resource, index);
    index.catchUp();
    const coming = [...this.#underWay.of(resource)];
    return (value, uid) =>
      index.isHeld(value, uid) ||
      coming.some((object) => object.metadata.uid !== uid && valuesOf(object).includes(value));
  }
}

/** The values of stored objects, as of when it last caught up with the store. */
class ValueIndex {
  readonly #store: Store;
  readonly #resource: string;
  readonly #valuesOf: ValuesOf;
  #watch: StoreWatch | undefined;
  /** uid → what it holds. */
  readonly #values = new Map<string, readonly string[]>();
  /** value → the uids of those who hold it: mostly one. */
  readonly #holders = new Map<string, ReadonlySet<string>>();

  constructor(store: Store, resource: string, valuesOf: ValuesOf) {
    this.#store = store;
    this.#resource = resource;
    this.#valuesOf = valuesOf;
  }

  isHeld(value: string, uid: string): boolean {
    const holders = this.#holders.get(value);
    return holders !== undefined && holders.size > (holders.has(uid) ? 1 : 0);
  }

  catchUp(): void {
    // More was written than waits for anybody: what there is now is read again.
    if (this.#watch === undefined || this.#watch.ended !== undefined) return this.#startOver();
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
