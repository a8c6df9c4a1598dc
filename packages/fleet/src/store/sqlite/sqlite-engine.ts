import { toError } from "@levelset/core";
import type { Logger } from "@levelset/core";
import type { ChangeRows } from "../change-rows.ts";
import type { Committed } from "../change-set.ts";
import { Callbacks } from "../callbacks.ts";
import { SQLITE } from "../dialect.ts";
import type { Dialect } from "../dialect.ts";
import type { Engine, FeedSql } from "../engine.ts";
import { StoreUnavailable } from "../errors.ts";
import type { Migrated } from "../migrations.ts";
import type { SqlRow, SqlValue, Statement } from "../sql-row.ts";
import { COMMIT_SQL, commitParameters, CONFLICT } from "./commit-trigger.ts";
import { openDatabase, sqliteFailureOf } from "./database.ts";
import type { Database } from "./database.ts";
import { SQLITE_FEED } from "./feed-sql.ts";
import { prepareFile } from "./file.ts";
import { REPORT_SQL, reportParameters } from "./report-trigger.ts";

/** The most changes in one transaction, so that other work gets its turn. */
const BATCH_MAX = 256;

interface Pending {
  readonly rows: ChangeRows;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly committed: Committed } | { readonly error: unknown };

/** Where the file is, and how to open it. */
export interface SqliteOptions {
  /** A file, or `:memory:`. */
  readonly path: string;
  readonly logger: Logger;
  /** Default: `node:sqlite`. */
  readonly open?: (path: string) => Promise<Database>;
}

/**
 * SQLite in the process. One process at a time has the file. Changes that come in the same turn of the event loop share one transaction and so one
 * wait for the disk; each is whole by itself.
 */
export class SqliteEngine implements Engine {
  readonly dialect: Dialect = SQLITE;
  readonly feed: FeedSql = SQLITE_FEED;
  /** Lets it learn what is frequent in its indexes. */
  readonly upkeep: readonly string[] = ["PRAGMA optimize = 0x10002"];
  /** What opening it did to its tables. */
  readonly migrated: Migrated;
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #callbacks: Callbacks;
  #queue: Pending[] = [];
  #isScheduled = false;
  #isClosed = false;
  #statements = 0;

  private constructor(database: Database, logger: Logger, migrated: Migrated) {
    this.#database = database;
    this.migrated = migrated;
    this.#logger = logger;
    this.#callbacks = new Callbacks(logger);
  }

  /** Opens a file. Rejects with `StoreUnusable`. */
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

  commit(rows: ChangeRows): Promise<Committed> {
    const { promise, resolve, reject } = Promise.withResolvers<Committed>();
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
    if (this.#isClosed) throw new StoreUnavailable("the store is closed");
    this.#statements += 1;
    return this.#database.rows(text, parameters);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // After all requests that are ready to be read: what they change goes to the disk together.
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
    const together = pending.length > 1 ? this.#together(pending) : undefined;
    // Alone, each is a transaction. One that had happened already is recognised.
    const outcomes = together ?? pending.map(({ rows }) => this.#alone(rows));
    for (const [index, { resolve, reject }] of pending.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined && "committed" in outcome) resolve(outcome.committed);
      else reject(unavailableOr(outcome?.error));
    }
    this.#callbacks.call();
  }

  /** The outcomes of changes that share a transaction; undefined if it came to nothing, or nobody knows. */
  #together(pending: readonly Pending[]): readonly Outcome[] | undefined {
    try {
      this.#run("BEGIN IMMEDIATE");
      // A change that fails is undone by itself.
      const outcomes = pending.map(({ rows }) => this.#alone(rows));
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
      this.#logger.error("a transaction could not be rolled back", { error: toError(error) });
      return false;
    }
  }

  #alone(rows: ChangeRows): Outcome {
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

/** What broken rules say. The columns are those of an index. */
const REFUSALS: readonly { readonly message: string; readonly committed: Committed }[] = [
  { message: CONFLICT, committed: { kind: "conflict" } },
  { message: "UNIQUE constraint failed: journal.id", committed: { kind: "committed" } },
  { message: "UNIQUE constraint failed: answers.key", committed: { kind: "taken", what: "answer" } },
  {
    message: "UNIQUE constraint failed: resources.kind, resources.tenancy, resources.name",
    committed: { kind: "taken", what: "name" },
  },
  {
    message: "UNIQUE constraint failed: resources.owner_id, resources.kind, resources.name",
    committed: { kind: "taken", what: "name" },
  },
];

function refusalOf(error: unknown): Committed | undefined {
  if (sqliteFailureOf(error) !== "constraint") return undefined;
  const { message } = toError(error);
  return REFUSALS.find((refusal) => refusal.message === message)?.committed;
}

/** Trouble with the file is the database's; anything else is ours. */
function unavailableOr(error: unknown): Error {
  const failure = sqliteFailureOf(error);
  if (failure === "other" || failure === "constraint") return toError(error);
  return new StoreUnavailable(`the database does not take it: ${toError(error).message}`, { cause: error });
}
