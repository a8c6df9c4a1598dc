import { existsSync, writeFileSync } from "node:fs";
import { silentLogger, textProblem, toError } from "@levelset/core";
import type { Logger } from "@levelset/core";
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
} from "../contract.ts";
import type { StoreLimits } from "../limits.ts";
import type { StoreState } from "../state.ts";
import { StorageError } from "../storage-error.ts";
import type { Write } from "../write.ts";
import { decideBatch } from "./batch.ts";
import type { Batch, PendingWrite } from "./batch.ts";
import { openDatabase, sqliteFailureOf } from "./database.ts";
import type { Database } from "./database.ts";
import { damaged, migrateFile, openFailure, prepareFile } from "./format.ts";
import { Journal } from "./journal.ts";
import { checkRecoverable, checkTables, quarantineDamage, quarantineOf, recordLineage } from "./quarantine.ts";
import { unlessDamaged } from "./stored-row.ts";

/** Where a durable store is kept, and its limits. */
export interface SqliteStoreOptions extends StoreLimits {
  /** The file. It comes to be, readable by its owner alone, if it is absent; its directory must be there. */
  readonly path: string;
  /** Told about writes that could not be stored. Default: nobody. */
  readonly logger?: Logger;
  /** Opens the file. Default: `node:sqlite`. */
  readonly open?: (path: string) => Promise<Database>;
}

/**
 * Keeps everything in a file, and a copy in memory for readers. A write is answered, and seen by readers and watchers, once it is
 * on the disk. Writes that come in the same turn of the event loop share one transaction, and so one wait for the disk.
 *
 * After a restart everything is as it was, including the history within its limits: watches go on where they were. One process
 * at a time has the file.
 */
export class SqliteStore implements Store {
  readonly #journal: Journal;
  readonly #state: StoreState;
  readonly #logger: Logger;
  readonly quarantine: readonly QuarantinedRow[];
  /** Object → its quarantined latest version. */
  readonly #lost: ReadonlyMap<string, QuarantinedRow>;
  #queue: PendingWrite[] = [];
  #isScheduled = false;

  private constructor(journal: Journal, state: StoreState, quarantine: readonly QuarantinedRow[], logger: Logger) {
    this.#journal = journal;
    this.#state = state;
    this.quarantine = quarantine;
    this.#logger = logger;
    const lost = quarantine.filter(({ state }) => state === "lost");
    this.#lost = new Map(lost.flatMap((row) => (row.key === undefined ? [] : [[formatKey(row.key), row] as const])));
  }

  /**
   * Opens a file. Rows that are damaged are set aside and logged; the others are served. Throws InputError when the file is
   * damaged beyond that, in use, from a newer levelset, or not ours.
   */
  static async open(options: SqliteStoreOptions): Promise<SqliteStore> {
    const { path, logger = silentLogger, open = openDatabase } = options;
    const database = await openFile(path, open);
    try {
      const format = prepareFile(database, path);
      // A file that is refused is left in its format.
      if (format.isOlder) checkRecoverable(database, path);
      migrateFile(database, format);
      if (format.isOlder) recordLineage(database);
      const { journal, state } = loadFile(database, path, options);
      const quarantine = quarantineOf(database);
      report(quarantine, path, logger);
      return new SqliteStore(journal, state, quarantine, logger);
    } catch (error) {
      database.close();
      throw openFailure(path, error);
    }
  }

  get revision(): number {
    return this.#state.revision;
  }

  get(key: StoreKey): StoredRecord | undefined {
    return this.#state.get(key);
  }

  list(scope: StoreScope, at?: number): Listing | Compacted {
    return this.#state.list(scope, at);
  }

  quarantined(key: StoreKey): QuarantinedRow | undefined {
    return this.#lost.get(formatKey(key));
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

  /** Stores what waits, ends all watches and lets go of the file. */
  close(): void {
    if (this.#state.isClosed) return;
    while (this.#queue.length > 0) this.#flush();
    this.#state.close();
    this.#journal.close();
  }

  async #write(write: Write): Promise<WriteResult> {
    if (this.#state.isClosed) throw new StorageError("closed");
    if (this.quarantined(write.key) !== undefined) throw new StorageError("quarantined");
    checkKey(write.key);
    const { promise, resolve, reject } = Promise.withResolvers<WriteResult>();
    this.#queue.push({ write, resolve, reject });
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#queue.length === 0) return;
    this.#isScheduled = true;
    // After all requests that are ready to be read: what they write goes to the disk together.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
      this.#schedule();
    });
  }

  #flush(): void {
    // A close may have come first.
    if (this.#queue.length === 0) return;
    const batch = decideBatch(this.#state, this.#queue);
    this.#commit(batch, this.#queue.splice(0, batch.size));
    this.#tidy();
  }

  /** Stores writes together. When that fails, each is tried alone, so that one that finds no room does not take others along. */
  #commit(batch: Batch, pending: readonly PendingWrite[]): void {
    const failure = this.#store(batch.events);
    if (failure === undefined) return this.#conclude(batch);
    const [first, ...others] = pending;
    if (others.length > 0) {
      for (const each of pending) this.#commit(decideBatch(this.#state, [each]), [each]);
      return;
    }
    const rescued = failure.failure === "full" ? this.#storeInRoom(batch.events) : failure;
    if (rescued === undefined) return this.#conclude(batch);
    const { resource, namespace, name } = first?.write.key ?? {};
    this.#logger.error("write not stored", { resource, namespace, name, error: toError(rescued.cause) });
    first?.reject(rescued);
  }

  /** Readers and watchers see what is stored, then its writers are told. */
  #conclude(batch: Batch): void {
    for (const event of batch.events) this.#state.apply(event);
    batch.settle();
  }

  #store(events: readonly StoreEvent[]): StorageError | undefined {
    if (events.length === 0) return undefined;
    return this.#attempt(() => this.#journal.append(events, this.#state.oldest));
  }

  /** Makes room first, at the price of the past on disk: a watch from before will have to list again after a restart. */
  #storeInRoom(events: readonly StoreEvent[]): StorageError | undefined {
    const [event] = events;
    // The log may hold pages that were written over since. If this fails too, the rest may still do.
    this.#attempt(() => this.#journal.checkpoint());
    if (event?.kind === "deleted") return this.#attempt(() => this.#journal.erase(event));
    const failure = this.#attempt(() => this.#journal.forget());
    return failure ?? this.#store(events);
  }

  #attempt(act: () => void): StorageError | undefined {
    try {
      act();
      return undefined;
    } catch (error) {
      return new StorageError(sqliteFailureOf(error) === "full" ? "full" : "failed", { cause: error });
    }
  }

  #tidy(): void {
    const failure = this.#attempt(() => this.#journal.vacuum());
    if (failure !== undefined) this.#logger.warn("free space not given back", { error: toError(failure.cause) });
  }
}

/** Reads a file; where rows are damaged, once more without them. */
function loadFile(database: Database, path: string, limits: StoreLimits): { journal: Journal; state: StoreState } {
  const journal = new Journal(database);
  const state = unlessDamaged(() => (checkTables(database) === undefined ? journal.load(limits) : undefined));
  if (state !== undefined) return { journal, state };
  quarantineDamage(database, path);
  const again = new Journal(database);
  const rest = again.load(limits);
  if (rest === undefined) throw damaged(path, "what is left of it contradicts itself");
  return { journal: again, state: rest };
}

/** One line for each row in quarantine, at each start: an object is missing. */
function report(quarantine: readonly QuarantinedRow[], path: string, logger: Logger): void {
  for (const { revision, key, state, reason } of quarantine) {
    const facts = { file: path, revision, object: key, state, err: reason };
    if (state === "lost") logger.error("stored object is damaged and not served", facts);
    else logger.warn("stored version is damaged", facts);
  }
}

/** The last line of defence: a key that SQLite would change is a row that does not fit its checksum. */
function checkKey(key: StoreKey): void {
  for (const [field, text] of Object.entries(key)) {
    const problem = textProblem(String(text));
    if (problem !== undefined) throw new TypeError(`the ${field} of a stored object ${problem}`);
  }
}

function formatKey({ resource, namespace, name }: StoreKey): string {
  return JSON.stringify([resource, namespace, name]);
}

async function openFile(path: string, open: (path: string) => Promise<Database>): Promise<Database> {
  try {
    // Objects may be secrets. A file that is there is not touched: closing it again would give up the lock of another store here.
    if (!existsSync(path)) writeFileSync(path, "", { mode: 0o600, flag: "wx" });
    return await open(path);
  } catch (error) {
    throw openFailure(path, error);
  }
}
