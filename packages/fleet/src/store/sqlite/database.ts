import { existsSync, writeFileSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { toError } from "@levelset/core/internal";
import { StoreUnusableError } from "../store-errors.ts";
import type { SqlRow, SqlValue } from "../sql-row.ts";
import { LruCache } from "@levelset/core/internal";

/** The SQLite operations that the store uses. Synchronous like `node:sqlite`. Tests inject faults here. */
export interface Database {
  /** Whether a transaction is open. */
  readonly isTransaction: boolean;
  /** Runs a statement to completion. Its parameters are `$1`, `$2` and so on. */
  rows(text: string, parameters?: readonly SqlValue[]): readonly SqlRow[];
  close(): void;
}

/** The maximum number of cached prepared statements. The texts of searches are unbounded. */
const STATEMENTS_MAX = 200;
const NUMBERED = /\$(\d+)/g;

/**
 * Opens a SQLite file. Creates the file if it is missing, readable only by its owner. Rejects with
 * `StoreUnusableError`.
 */
export async function openDatabase(path: string): Promise<Database> {
  // Loaded on demand: not needed with PostgreSQL.
  const { DatabaseSync } = await import("node:sqlite");
  try {
    if (path !== ":memory:" && !existsSync(path)) writeFileSync(path, "", { mode: 0o600, flag: "wx" });
    return new SqliteDatabase(new DatabaseSync(path));
  } catch (error) {
    throw new StoreUnusableError(`cannot open ${path}: ${toError(error).message}`, { cause: error });
  }
}

/** A statement with `?` placeholders, and the zero-based parameter index of each. */
interface Prepared {
  readonly statement: StatementSync;
  readonly indexes: readonly number[];
}

class SqliteDatabase implements Database {
  readonly #database: DatabaseSync;
  readonly #statements = new LruCache<string, Prepared>(STATEMENTS_MAX);

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  rows(text: string, parameters: readonly SqlValue[] = []): readonly SqlRow[] {
    const { statement, indexes } = this.#prepared(text);
    return statement.all(...indexes.map((index) => parameters[index] ?? null));
  }

  close(): void {
    this.#database.close();
  }

  #prepared(text: string): Prepared {
    return this.#statements.getOrCreate(text, () => this.#prepare(text));
  }

  /**
   * Binds parameters by position: Node 22 treats numbered parameters as named ones, and binding by name is several
   * times slower.
   */
  #prepare(text: string): Prepared {
    const indexes = Array.from(text.matchAll(NUMBERED), ([, number]) => Number(number) - 1);
    return { statement: this.#database.prepare(text.replaceAll(NUMBERED, "?")), indexes };
  }
}

/** Classification of SQLite errors. */
export type SqliteFailure = "busy" | "damaged" | "storage" | "constraint" | "other";

/** The SQLite result codes that are distinguished. */
const FAILURES: Readonly<Record<number, SqliteFailure>> = {
  5: "busy",
  6: "busy",
  10: "storage",
  11: "damaged",
  13: "storage",
  19: "constraint",
  26: "damaged",
};

/**
 * Classifies an error: file locked by another process, file damaged, no space or I/O error, constraint violated, or
 * other.
 */
export function sqliteFailureOf(error: unknown): SqliteFailure {
  return FAILURES[resultCodeOf(error) & 0xff] ?? "other";
}

/** Reports whether a `RAISE` of a trigger caused an error: SQLITE_CONSTRAINT_TRIGGER. */
export function isRaisedByTrigger(error: unknown): boolean {
  return resultCodeOf(error) === 1811;
}

/** Returns the extended result code of SQLite; -1 for other errors. */
function resultCodeOf(error: unknown): number {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) : -1;
}
