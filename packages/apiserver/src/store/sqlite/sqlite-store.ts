import { existsSync, writeFileSync } from "node:fs";
import { silentLogger } from "@levelset/core";
import { textProblem, toError } from "@levelset/core/internal";
import type { Logger } from "@levelset/core";
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
} from "../store.ts";
import type { StoreLimits } from "../limits.ts";
import type { StoreState } from "../state.ts";
import { StorageError } from "../storage-error.ts";
import type { StoreWrite } from "../write.ts";
import { decideBatch } from "./batch.ts";
import type { Batch, QueuedWrite } from "./batch.ts";
import { openDatabase, classifySqliteError } from "./database.ts";
import type { SqliteConnection } from "./database.ts";
import { corruptFileError, migrateFile, openFileError, prepareFile } from "./file-format.ts";
import { Journal } from "./journal.ts";
import { checkRecoverable, checkTables, quarantineDamage, quarantineOf, recordLineage } from "./quarantine.ts";
import { unlessDamaged } from "./stored-row.ts";

/** Options of {@link SqliteStore}. */
export interface SqliteStoreOptions extends StoreLimits {
  /** The data file. Created with mode 0600 if it is missing; its directory must exist. */
  readonly path: string;
  /** Receives quarantined rows and failed writes. Default: no logging. */
  readonly logger?: Logger;
  /** Opens the database connection. Default: `node:sqlite`. */
  readonly open?: (path: string) => Promise<SqliteConnection>;
}

/**
 * A durable {@link Store} in an SQLite file, with all current objects in memory for readers. A write resolves, and
 * becomes visible to readers and watchers, after it is synced to disk. Writes of the same event loop turn share one
 * transaction.
 *
 * Objects, revision and history (within its limits) survive restarts and crashes, so watches can resume. The file is
 * locked: only one process can open it at a time.
 *
 * Writes reject with a `StorageError` of failure `closed`, `full`, `failed` or `quarantined`, and with a `TypeError`
 * for keys that SQLite cannot store unchanged. When the disk is full, the store drops its history on disk to make room;
 * watches from before then have to list again after a restart.
 */
export class SqliteStore implements Store {
  readonly #journal: Journal;
  readonly #state: StoreState;
  readonly #logger: Logger;
  readonly quarantine: readonly QuarantinedRow[];
  /** Key → the quarantined latest version of the object. */
  readonly #lost: ReadonlyMap<string, QuarantinedRow>;
  #queue: QueuedWrite[] = [];
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
   * Opens a data file, creating or migrating it if necessary. Damaged rows are quarantined and logged; all other
   * objects are served. Rejects with InputError if the file cannot be opened or recovered, is in use, was written by a
   * newer levelset, or belongs to another program; such a file is not changed.
   */
  static async open(options: SqliteStoreOptions): Promise<SqliteStore> {
    const { path, logger = silentLogger, open = openDatabase } = options;
    const database = await openFile(path, open);
    try {
      const format = prepareFile(database, path);
      // Checked before the migration, so that a refused file keeps its format.
      if (format.isOlder) checkRecoverable(database, path);
      migrateFile(database, format);
      if (format.isOlder) recordLineage(database);
      const { journal, state } = loadFile(database, path, options);
      const quarantine = quarantineOf(database);
      report(quarantine, path, logger);
      return new SqliteStore(journal, state, quarantine, logger);
    } catch (error) {
      database.close();
      throw openFileError(path, error);
    }
  }

  get revision(): number {
    return this.#state.revision;
  }

  get(key: StoreKey): StoredRecord | undefined {
    return this.#state.get(key);
  }

  list(scope: StoreScope, at?: number): StoreList | CompactedRevision {
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

  watch(scope: WatchScope, from: number, notify: () => void): StoreWatch | CompactedRevision {
    return this.#state.watch(scope, from, notify);
  }

  history(key: StoreKey): readonly StoreEvent[] {
    return this.#state.history(key);
  }

  /** Stores queued writes, ends all watches and closes the file. Idempotent. */
  close(): void {
    if (this.#state.isClosed) return;
    while (this.#queue.length > 0) this.#flush();
    this.#state.close();
    this.#journal.close();
  }

  async #write(write: StoreWrite): Promise<WriteResult> {
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
    // Runs after all I/O callbacks of this turn, so that all writes of the turn share one transaction.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
      this.#schedule();
    });
  }

  #flush(): void {
    // close() may have flushed the queue already.
    if (this.#queue.length === 0) return;
    const batch = decideBatch(this.#state, this.#queue);
    this.#commit(batch, this.#queue.splice(0, batch.size));
    this.#tidy();
  }

  /** Stores a batch. If that fails, stores each write separately, so that a write without space fails alone. */
  #commit(batch: Batch, pending: readonly QueuedWrite[]): void {
    const failure = this.#store(batch.events);
    if (failure === undefined) return this.#conclude(batch);
    const [first, ...others] = pending;
    if (others.length > 0) {
      for (const each of pending) this.#commit(decideBatch(this.#state, [each]), [each]);
      return;
    }
    const finalFailure = failure.failure === "full" ? this.#freeSpaceAndStore(batch.events) : failure;
    if (finalFailure === undefined) return this.#conclude(batch);
    this.#logger.error("write not stored", { object: first?.write.key, err: toError(finalFailure.cause) });
    first?.reject(finalFailure);
  }

  /** Applies the stored events to readers and watchers, then settles the writes. */
  #conclude(batch: Batch): void {
    for (const event of batch.events) this.#state.apply(event);
    batch.complete();
  }

  #store(events: readonly StoreEvent[]): StorageError | undefined {
    if (events.length === 0) return undefined;
    return this.#attempt(() => this.#journal.append(events, this.#state.oldest));
  }

  /** Drops the history on disk to free space, then stores the event. Older watches must list again after a restart. */
  #freeSpaceAndStore(events: readonly StoreEvent[]): StorageError | undefined {
    const [event] = events;
    // The WAL may contain obsolete pages. The next steps may succeed even if the checkpoint fails.
    this.#attempt(() => this.#journal.checkpoint());
    if (event?.kind === "deleted") return this.#attempt(() => this.#journal.erase(event));
    const failure = this.#attempt(() => this.#journal.truncate());
    return failure ?? this.#store(events);
  }

  #attempt(act: () => void): StorageError | undefined {
    try {
      act();
      return undefined;
    } catch (error) {
      return new StorageError(classifySqliteError(error) === "full" ? "full" : "failed", { cause: error });
    }
  }

  #tidy(): void {
    const failure = this.#attempt(() => this.#journal.vacuum());
    if (failure !== undefined) this.#logger.warn("cannot release free space", { err: toError(failure.cause) });
  }
}

/** Loads a file. If rows are damaged, quarantines them and loads the file again. */
function loadFile(
  database: SqliteConnection,
  path: string,
  limits: StoreLimits,
): { journal: Journal; state: StoreState } {
  const journal = new Journal(database);
  const state = unlessDamaged(() => (checkTables(database) === undefined ? journal.load(limits) : undefined));
  if (state !== undefined) return { journal, state };
  quarantineDamage(database, path);
  const again = new Journal(database);
  const rest = again.load(limits);
  if (rest === undefined) throw corruptFileError(path, "its intact rows are inconsistent");
  return { journal: again, state: rest };
}

/** Logs each quarantined row at every start. */
function report(quarantine: readonly QuarantinedRow[], path: string, logger: Logger): void {
  for (const { revision, key, state, reason } of quarantine) {
    const facts = { file: path, revision, object: key, state, err: reason };
    if (state === "lost") logger.error("stored object is damaged and not served", facts);
    else logger.warn("stored version is damaged", facts);
  }
}

/** Rejects keys that SQLite would not store unchanged, because the checksum of the row would not match. */
function checkKey(key: StoreKey): void {
  for (const [field, text] of Object.entries(key)) {
    const problem = textProblem(String(text));
    if (problem !== undefined) throw new TypeError(`the ${field} of a stored object ${problem}`);
  }
}

function formatKey({ resource, namespace, name }: StoreKey): string {
  return JSON.stringify([resource, namespace, name]);
}

async function openFile(path: string, open: (path: string) => Promise<SqliteConnection>): Promise<SqliteConnection> {
  try {
    // Mode 0600, because objects may be Secrets. An existing file is not opened here: closing it would release the
    // POSIX locks of another store in this process (sqlite.org/howtocorrupt.html, section 2.2).
    if (!existsSync(path)) writeFileSync(path, "", { mode: 0o600, flag: "wx" });
    return await open(path);
  } catch (error) {
    throw openFileError(path, error);
  }
}
