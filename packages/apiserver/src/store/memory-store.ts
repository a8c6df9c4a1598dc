import type {
  ApiObject,
  CompactedRevision,
  StoreList,
  QuarantinedRow,
  Store,
  StoredRecord,
  StoreEvent,
  StoreKey,
  StoreScope,
  StoreWatch,
  WatchScope,
  WriteResult,
} from "./store.ts";
import type { StoreLimits } from "./limits.ts";
import { StoreState } from "./state.ts";
import { StorageError } from "./storage-error.ts";
import { decideWrite } from "./write.ts";
import type { StoreWrite } from "./write.ts";

/**
 * A {@link Store} in memory. A write is applied and its watchers are notified synchronously, before `create`, `update`
 * or `delete` returns its promise. Writes reject with a `StorageError` of failure `closed` after `close()`, and with
 * the encoder's error when the object cannot be encoded as JSON.
 */
export class MemoryStore implements Store {
  #state: StoreState;

  constructor(limits: StoreLimits = {}) {
    this.#state = new StoreState(limits);
  }

  get revision(): number {
    return this.#state.revision;
  }

  /** Always empty: only stored rows can be damaged. */
  get quarantine(): readonly QuarantinedRow[] {
    return [];
  }

  quarantined(_key: StoreKey): QuarantinedRow | undefined {
    return undefined;
  }

  get(key: StoreKey): StoredRecord | undefined {
    return this.#state.get(key);
  }

  list(scope: StoreScope, at?: number): StoreList | CompactedRevision {
    return this.#state.list(scope, at);
  }

  create(key: StoreKey, object: ApiObject): Promise<WriteResult> {
    return this.#write({ kind: "create", key, object });
  }

  update(key: StoreKey, object: ApiObject, expected: number): Promise<WriteResult> {
    return this.#write({ kind: "update", key, object, expected });
  }

  delete(key: StoreKey, expected: number): Promise<WriteResult> {
    return this.#write({ kind: "delete", key, expected });
  }

  watch(scope: WatchScope, from: number, notify: () => void): StoreWatch | CompactedRevision {
    return this.#state.watch(scope, from, notify);
  }

  history(key: StoreKey): readonly StoreEvent[] {
    return this.#state.history(key);
  }

  /**
   * Returns an independent store with the same objects, revision and history, but without watchers. Cheap: data is
   * shared until one of the two stores is written to (copy-on-write).
   */
  fork(): MemoryStore {
    const fork = new MemoryStore();
    fork.#state = this.#state.fork();
    return fork;
  }

  close(): void {
    this.#state.close();
  }

  async #write(write: StoreWrite): Promise<WriteResult> {
    if (this.#state.isClosed) throw new StorageError("closed");
    const decision = decideWrite(write, this.#state.get(write.key), this.#state.revision + 1);
    if (decision.kind === "conflict") return decision;
    this.#state.apply(decision.event);
    return { kind: "written", record: decision.event.record };
  }
}
