import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";

/** A bound parameter of a statement. */
export type SqlValue = string | number | null;

/** A result row. */
export type SqlRow = Readonly<Record<string, SQLOutputValue>>;

/** The SQLite operations that the store uses. Synchronous, like `node:sqlite`. Tests inject faults here. */
export interface SqliteConnection {
  /** Whether a transaction is open. */
  readonly isTransaction: boolean;
  /** Executes a statement and discards its rows. */
  run(sql: string, ...values: readonly SqlValue[]): void;
  /** Executes a statement and iterates over its rows. */
  rows(sql: string, ...values: readonly SqlValue[]): Iterable<SqlRow>;
  close(): void;
}

/** Opens a file with SQLite. Creates it if it is missing, unless `readOnly` is set. Rejects with SQLite's error. */
export async function openDatabase(
  path: string,
  options: { readonly readOnly?: boolean } = {},
): Promise<SqliteConnection> {
  // Imported lazily, so that servers with a memory store start without it.
  const { DatabaseSync } = await import("node:sqlite");
  return new SqliteDatabase(new DatabaseSync(path, { readOnly: options.readOnly ?? false }));
}

class SqliteDatabase implements SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  run(sql: string, ...values: readonly SqlValue[]): void {
    this.#statement(sql).all(...values);
  }

  rows(sql: string, ...values: readonly SqlValue[]): Iterable<SqlRow> {
    return this.#statement(sql).iterate(...values);
  }

  close(): void {
    this.#database.close();
  }

  #statement(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** SQLite's primary result codes (sqlite.org/rescode.html). */
const CODES = { busy: 5, locked: 6, corrupt: 11, full: 13, notADatabase: 26 };

/** Classifies an SQLite error: another connection locks the file, the file is damaged, the disk is full, or other. */
export function classifySqliteError(error: unknown): "busy" | "damaged" | "full" | "other" {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
  if (code === CODES.busy || code === CODES.locked) return "busy";
  if (code === CODES.corrupt || code === CODES.notADatabase) return "damaged";
  return code === CODES.full ? "full" : "other";
}
