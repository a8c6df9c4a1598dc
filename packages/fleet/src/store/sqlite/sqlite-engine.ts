import { toError } from "@levelset/core/internal";
import type { Logger } from "@levelset/core";
import type { ChangeRows } from "../change-rows.ts";
import type { CommitResult } from "../change-set.ts";
import { CommitListeners } from "../commit-listeners.ts";
import { SQLITE_DIALECT } from "../dialect.ts";
import type { Dialect } from "../dialect.ts";
import type { SqlEngine, FeedSql } from "../sql-engine.ts";
import { StoreUnavailableError } from "../store-errors.ts";
import type { MigrationResult } from "../migrations.ts";
import type { SqlRow, SqlValue, Statement } from "../sql-row.ts";
import { COMMIT_SQL, commitParameters } from "./commit-trigger.ts";
import { isRaisedByTrigger, openDatabase, sqliteFailureOf } from "./database.ts";
import type { Database } from "./database.ts";
import { SQLITE_FEED } from "./feed-sql.ts";
import { prepareFile } from "./prepare-file.ts";
import { REPORT_SQL, reportParameters } from "./report-trigger.ts";

/** The maximum number of changes per transaction, so that other work is not delayed. */
const BATCH_MAX = 256;

interface Pending {
  readonly rows: ChangeRows;
  readonly resolve: (committed: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly committed: CommitResult } | { readonly error: unknown };

/** Location of the database file, and how to open it. */
export interface SqliteOptions {
  /** A file path, or `:memory:`. */
  readonly path: string;
  readonly logger: Logger;
  /** Default: `node:sqlite`. */
  readonly open?: (path: string) => Promise<Database>;
}

/**
 * SQLite in process. Only one process at a time can use the file. Changes of the same event loop turn share one
 * transaction and so one disk flush; each is atomic by itself. Rejects with `StoreUnavailableError` on I/O errors.
 */
export class SqliteEngine implements SqlEngine {
  readonly dialect: Dialect = SQLITE_DIALECT;
  readonly feed: FeedSql = SQLITE_FEED;
  /** Updates the planner statistics. */
  readonly maintenanceSql: readonly string[] = ["PRAGMA optimize = 0x10002"];
  /** The migration that opening the file performed. */
  readonly migrated: MigrationResult;
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #callbacks: CommitListeners;
  #queue: Pending[] = [];
  #isScheduled = false;
  #isClosed = false;
  #statements = 0;

  private constructor(database: Database, logger: Logger, migrated: MigrationResult) {
    this.#database = database;
    this.migrated = migrated;
    this.#logger = logger;
    this.#callbacks = new CommitListeners(logger);
  }

  /** Opens a file. Rejects with `StoreUnusableError`. */
  static async open({ path, logger, open = openDatabase }: SqliteOptions): Promise<SqliteEngine> {
    const database = await open(path);
    try {
      return new SqliteEngine(database, logger, prepareFile(database, path));
    } catch (error) {
      database.close();
      throw error;
    }
  }

  get statements(): number {
    return this.#statements;
  }

  async rows({ text, parameters }: Statement): Promise<readonly SqlRow[]> {
    try {
      return this.#run(text, parameters);
    } catch (error) {
      throw unavailableOr(error);
    }
  }

  commit(rows: ChangeRows): Promise<CommitResult> {
    const { promise, resolve, reject } = Promise.withResolvers<CommitResult>();
    this.#queue.push({ rows, resolve, reject });
    this.#schedule();
    return promise;
  }

  onCommit(callback: () => void): () => void {
    return this.#callbacks.add(callback);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    while (this.#queue.length > 0) this.#flush();
    this.#isClosed = true;
    this.#database.close();
  }

  #run(text: string, parameters: readonly SqlValue[] = []): readonly SqlRow[] {
    if (this.#isClosed) throw new StoreUnavailableError("the store is closed");
    this.#statements += 1;
    return this.#database.rows(text, parameters);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Runs after all pending I/O callbacks, so that the resulting changes share a disk flush.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
      if (this.#queue.length > 0) this.#schedule();
    });
  }

  #flush(): void {
    const pending = this.#queue.slice(0, BATCH_MAX);
    this.#queue = this.#queue.slice(BATCH_MAX);
    if (pending.length === 0) return;
    const together = pending.length > 1 ? this.#commitTogether(pending) : undefined;
    // Each change in its own transaction. A change that was already committed is recognised.
    const outcomes = together ?? pending.map(({ rows }) => this.#commitOne(rows));
    for (const [index, { resolve, reject }] of pending.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined && "committed" in outcome) resolve(outcome.committed);
      else reject(unavailableOr(outcome?.error));
    }
    this.#callbacks.notify();
  }

  /** Commits changes in one transaction. Returns undefined if the transaction failed or its result is unknown. */
  #commitTogether(pending: readonly Pending[]): readonly Outcome[] | undefined {
    try {
      this.#run("BEGIN IMMEDIATE");
      // A failing change is rolled back by itself.
      const outcomes = pending.map(({ rows }) => this.#commitOne(rows));
      this.#run("COMMIT");
      return outcomes;
    } catch (error) {
      return this.#isRolledBack() ? undefined : pending.map(() => ({ error }));
    }
  }

  #isRolledBack(): boolean {
    try {
      if (this.#database.isTransaction) this.#run("ROLLBACK");
      return true;
    } catch (error) {
      this.#logger.error("transaction rollback failed", { err: toError(error) });
      return false;
    }
  }

  #commitOne(rows: ChangeRows): Outcome {
    try {
      if (rows.reportedId !== undefined) this.#run(REPORT_SQL, reportParameters(rows));
      else this.#run(COMMIT_SQL, commitParameters(rows));
      return { committed: { kind: "committed" } };
    } catch (error) {
      const committed = refusalOf(error);
      return committed === undefined ? { error } : { committed };
    }
  }
}

/** The commit results of violated unique indexes. SQLite names the columns of the index. */
const REFUSALS: readonly { readonly message: string; readonly committed: CommitResult }[] = [
  { message: "UNIQUE constraint failed: journal.id", committed: { kind: "committed" } },
  { message: "UNIQUE constraint failed: answers.key", committed: { kind: "duplicate", what: "answer" } },
  {
    message: "UNIQUE constraint failed: resources.kind, resources.tenancy, resources.name",
    committed: { kind: "duplicate", what: "name" },
  },
  {
    message: "UNIQUE constraint failed: resources.owner_id, resources.kind, resources.name",
    committed: { kind: "duplicate", what: "name" },
  },
];

function refusalOf(error: unknown): CommitResult | undefined {
  if (isRaisedByTrigger(error)) return { kind: "conflict" };
  if (sqliteFailureOf(error) !== "constraint") return undefined;
  const { message } = toError(error);
  return REFUSALS.find((refusal) => refusal.message === message)?.committed;
}

/** Returns `StoreUnavailableError` for I/O errors; other errors are bugs of ours. */
function unavailableOr(error: unknown): Error {
  const failure = sqliteFailureOf(error);
  if (failure === "other" || failure === "constraint") return toError(error);
  return new StoreUnavailableError(`the database rejected the write: ${toError(error).message}`, { cause: error });
}
