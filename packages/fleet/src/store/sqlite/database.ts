import { existsSync, writeFileSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { toError } from "@levelset/core";
import { StoreUnusable } from "../errors.ts";
import type { SqlRow, SqlValue } from "../sql-row.ts";

/** The few things that the store asks of SQLite. Synchronous, as `node:sqlite` is. The seam where tests let the n-th call fail. */
export interface Database {
  /** Whether a transaction is open. */
  readonly isTransaction: boolean;
  /** Runs a statement to its end. Its parameters are `$1`, `$2` and so on. */
  rows(text: string, parameters?: readonly SqlValue[]): readonly SqlRow[];
  close(): void;
}

/** How many prepared statements are kept. Searches differ in their text, so there is no end of them. */
const STATEMENTS_MAX = 200;
const NUMBERED = /\$(\d+)/g;

/** Opens a file with SQLite; one that is absent comes to be, readable by its owner alone. */
export async function openDatabase(path: string): Promise<Database> {
  // Loaded when it is needed: with PostgreSQL it is not.
  const { DatabaseSync } = await import("node:sqlite");
  try {
    if (path !== ":memory:" && !existsSync(path)) writeFileSync(path, "", { mode: 0o600, flag: "wx" });
    return new SqliteDatabase(new DatabaseSync(path));
  } catch (error) {
    throw new StoreUnusable(`cannot open ${path}: ${toError(error).message}`, { cause: error });
  }
}

/** A statement with a question mark for each place of a parameter, and which parameter goes into each place, counted from 0. */
interface Prepared {
  readonly statement: StatementSync;
  readonly places: readonly number[];
}

class SqliteDatabase implements Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  rows(text: string, parameters: readonly SqlValue[] = []): readonly SqlRow[] {
    const { statement, places } = this.#prepared(text);
    return statement.all(...places.map((place) => parameters[place] ?? null));
  }

  close(): void {
    this.#database.close();
  }

  #prepared(text: string): Prepared {
    const known = this.#statements.get(text);
    // The one that was used last goes to the end, the first is the one to drop.
    this.#statements.delete(text);
    const prepared = known ?? this.#prepare(text);
    this.#statements.set(text, prepared);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > STATEMENTS_MAX && oldest !== undefined) this.#statements.delete(oldest);
    return prepared;
  }

  /** Parameters by their place: Node 22 takes numbered ones for names, and by name they cost several times as much. */
  #prepare(text: string): Prepared {
    const places = Array.from(text.matchAll(NUMBERED), ([, number]) => Number(number) - 1);
    return { statement: this.#database.prepare(text.replaceAll(NUMBERED, "?")), places };
  }
}

/** What is behind an error of SQLite. */
export type SqliteFailure = "busy" | "damaged" | "storage" | "constraint" | "other";

/** The result codes of SQLite that we tell apart. */
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
 * Somebody else has the file, it is damaged, there is no room or no disk, a rule of ours was broken, or anything else.
 */
export function sqliteFailureOf(error: unknown): SqliteFailure {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : -1;
  return FAILURES[code] ?? "other";
}
