import { DatabaseSync } from "node:sqlite";
import type { StatementSync } from "node:sqlite";
import type pg from "pg";

const TABLE = "CREATE TABLE IF NOT EXISTS raw_rows (id TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL)";
const UPSERT = "INSERT INTO raw_rows (id, body) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET body = excluded.body";

/** A table to write single rows to, each on the disk when it is answered: the least that any report can cost. */
export interface RawRows extends AsyncDisposable {
  /** Puts a row there for each id, so that the table is as large as those of a fleet. */
  stock(ids: readonly string[], body: string): Promise<void>;
  upsert(id: string, body: string): Promise<void>;
  /** Several in one transaction, where a program can know of several: SQLite runs inside of it. */
  upsertTogether?(rows: readonly (readonly [id: string, body: string])[]): Promise<void>;
}

/** With a pool of connections, and the statement prepared on each. */
export class PostgresRows implements RawRows {
  readonly #pool: pg.Pool;

  private constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  static async open(pool: pg.Pool): Promise<PostgresRows> {
    await pool.query(TABLE);
    return new PostgresRows(pool);
  }

  async stock(ids: readonly string[], body: string): Promise<void> {
    await this.#pool.query("INSERT INTO raw_rows (id, body) SELECT id, $2 FROM unnest($1::text[]) AS e (id)", [
      ids,
      body,
    ]);
  }

  async upsert(id: string, body: string): Promise<void> {
    await this.#pool.query({ name: "raw-upsert", text: UPSERT, values: [id, body] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.query("DROP TABLE raw_rows");
  }
}

/** With the settings that our store has. */
export class SqliteRows implements RawRows {
  readonly #database: DatabaseSync;
  readonly #statement: StatementSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statement = database.prepare(UPSERT.replaceAll("$", "?"));
  }

  static open(path: string): SqliteRows {
    const database = new DatabaseSync(path);
    for (const setting of ["locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL"]) {
      database.exec(`PRAGMA ${setting}`);
    }
    database.exec(TABLE);
    return new SqliteRows(database);
  }

  stock(ids: readonly string[], body: string): Promise<void> {
    return this.upsertTogether(ids.map((id) => [id, body]));
  }

  async upsert(id: string, body: string): Promise<void> {
    this.#statement.run(id, body);
  }

  async upsertTogether(rows: readonly (readonly [id: string, body: string])[]): Promise<void> {
    this.#database.exec("BEGIN IMMEDIATE");
    for (const [id, body] of rows) this.#statement.run(id, body);
    this.#database.exec("COMMIT");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
  }
}
