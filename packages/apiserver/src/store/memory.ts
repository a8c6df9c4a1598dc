import type {
  ApiObject,
  Compacted,
  Listing,
  QuarantinedRow,
  Store,
  StoredRecord,
  StoreEvent,
  StoreKey,
  StoreScope,
  StoreWatch,
  WatchScope,
  WriteResult,
} from "./contract.ts";
import type { StoreLimits } from "./limits.ts";
import { StoreState } from "./state.ts";
import { StorageError } from "./storage-error.ts";
import { decide } from "./write.ts";
import type { Write } from "./write.ts";

/** Keeps everything in memory. A write is decided, visible and announced in the same synchronous step. */
export class MemoryStore implements Store {
  #state: StoreState;

  constructor(limits: StoreLimits = {}) {
    this.#state = new StoreState(limits);
  }

  get revision(): number {
    return this.#state.revision;
  }

  /** Memory is never damaged. */
  get quarantine(): readonly QuarantinedRow[] {
    return [];
  }

  quarantined(_key: StoreKey): QuarantinedRow | undefined {
    return undefined;
  }

  get(key: StoreKey): StoredRecord | undefined {
    return this.#state.get(key);
  }

  list(scope: StoreScope, at?: number): Listing | Compacted {
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

  watch(scope: WatchScope, from: number, wake: () => void): StoreWatch | Compacted {
    return this.#state.watch(scope, from, wake);
  }

  history(key: StoreKey): readonly StoreEvent[] {
    return this.#state.history(key);
  }

  /**
   * A store with the same objects, revision and history. Costs next to nothing: the two share everything until one of them
   * is written to, and what is written to one never shows in the other.
   */
  fork(): MemoryStore {
    const fork = new MemoryStore();
    fork.#state = this.#state.fork();
    return fork;
  }

  close(): void {
    this.#state.close();
  }

  async #write(write: Write): Promise<WriteResult> {
    if (this.#state.isClosed) throw new StorageError("closed");
    const decision = decide(write, this.#state.get(write.key), this.#state.revision + 1);
    if (decision.kind === "conflict") return decision;
    this.#state.apply(decision.event);
    return { kind: "written", record: decision.event.record };
  }
}
