import type { MemoryStore, StoredRecord, StoreKey, StoreWatch } from "@levelset/apiserver";
import type { KubeObject } from "@levelset/core";

/** What happened to one object since a moment. */
export interface StoreChange {
  /** `plural.group`. */
  readonly resource: string;
  /** Undefined if the object did not exist. */
  readonly before: KubeObject | undefined;
  /** Undefined if the object does not exist any more. */
  readonly after: KubeObject | undefined;
  /** Number of writes. */
  readonly writes: number;
}

interface Written {
  readonly key: StoreKey;
  readonly before: StoredRecord | undefined;
  writes: number;
}

/** Resources that record what operators do, and are no result of it. */
const IGNORED: ReadonlySet<string> = new Set(["events", "leases.coordination.k8s.io"]);
const BATCH = 1_000;

/** Collects the writes to a store, from its creation on. Events and Leases are ignored. */
export class StoreChanges implements Disposable {
  readonly #store: MemoryStore;
  readonly #watch: StoreWatch;
  readonly #written = new Map<string, Written>();
  #count = 0;

  constructor(store: MemoryStore) {
    this.#store = store;
    const watch = store.watch({}, store.revision, () => this.#collect());
    if (watch.kind === "compacted") throw new Error("the latest revision of a store is never compacted");
    this.#watch = watch;
  }

  /** Number of writes so far. */
  get count(): number {
    return this.#count;
  }

  /** The objects that were written, in the order of their first write. Objects that came and went are left out. */
  get changes(): readonly StoreChange[] {
    return [...this.#written.values()].flatMap(({ key, before, writes }) => {
      const change = { resource: key.resource, before: before?.object, after: this.#store.get(key)?.object, writes };
      return change.before === undefined && change.after === undefined ? [] : [change];
    });
  }

  [Symbol.dispose](): void {
    this.#watch.close();
  }

  #collect(): void {
    for (const event of this.#watch.take(BATCH)) {
      const { key } = event.record;
      if (IGNORED.has(key.resource)) continue;
      this.#count++;
      const id = `${key.resource} ${key.namespace} ${key.name}`;
      const before = event.kind === "created" ? undefined : event.previous;
      const written = this.#written.get(id) ?? { key, before, writes: 0 };
      written.writes++;
      this.#written.set(id, written);
    }
  }
}
