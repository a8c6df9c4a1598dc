import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";

/** What goes into a statement. */
export type SqlValue = string | number | null;

/** A row that came out. */
export type SqlRow = Readonly<Record<string, SQLOutputValue>>;

/**
 * The few things that the store asks of SQLite. Synchronous, as `node:sqlite` is. The seam where tests let the n-th call fail.
 */
export interface Database {
  /** Whether a transaction is open. */
  readonly isTransaction: boolean;
  /** Runs a statement to its end, and leaves aside what it gives. */
  run(sql: string, ...values: readonly SqlValue[]): void;
  /** The rows that a statement gives, one by one. */
  rows(sql: string, ...values: readonly SqlValue[]): Iterable<SqlRow>;
  close(): void;
}

/** Opens a file with SQLite. Creates it if it is missing, unless it is only read. */
export async function openDatabase(path: string, options: { readonly readOnly?: boolean } = {}): Promise<Database> {
  // Loaded when it is needed: servers in memory start without it.
  const { DatabaseSync } = await import("node:sqlite");
  return new SqliteDatabase(new DatabaseSync(path, { readOnly: options.readOnly ?? false }));
}

class SqliteDatabase implements Database {
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

/** The result codes of SQLite that we tell apart. */
const CODES = { busy: 5, locked: 6, corrupt: 11, full: 13, notADatabase: 26 };

/** What is behind an error of SQLite: somebody else has the file, it is damaged, there is no room, or anything else. */
export function sqliteFailureOf(error: unknown): "busy" | "damaged" | "full" | "other" {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
  if (code === CODES.busy || code === CODES.locked) return "busy";
  if (code === CODES.corrupt || code === CODES.notADatabase) return "damaged";
  return code === CODES.full ? "full" : "other";
}
