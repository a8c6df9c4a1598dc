import { DatabaseSync } from "node:sqlite";
import type { StatementSync } from "node:sqlite";
import type pg from "pg";

const TABLE = "CREATE TABLE IF NOT EXISTS raw_rows (id TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL)";
const UPSERT = "INSERT INTO raw_rows (id, body) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET body = excluded.body";

/** A table for durable writes of single rows: the minimum cost of a report. */
export interface RawRows extends AsyncDisposable {
  /** Inserts a row for each id, so that the table is as large as those of a fleet. */
  seed(ids: readonly string[], body: string): Promise<void>;
  upsert(id: string, body: string): Promise<void>;
  /** Writes several rows in one transaction. Only for SQLite, which runs in the process. */
  upsertBatch?(rows: readonly (readonly [id: string, body: string])[]): Promise<void>;
}

/** Rows in PostgreSQL, with a connection pool and prepared statements. */
export class PostgresRows implements RawRows {
  readonly #pool: pg.Pool;

  private constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  static async open(pool: pg.Pool): Promise<PostgresRows> {
    await pool.query(TABLE);
    return new PostgresRows(pool);
  }

  async seed(ids: readonly string[], body: string): Promise<void> {
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

/** Rows in SQLite, with the settings of the fleet store. */
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

  seed(ids: readonly string[], body: string): Promise<void> {
    return this.upsertBatch(ids.map((id) => [id, body]));
  }

  async upsert(id: string, body: string): Promise<void> {
    this.#statement.run(id, body);
  }

  async upsertBatch(rows: readonly (readonly [id: string, body: string])[]): Promise<void> {
    this.#database.exec("BEGIN IMMEDIATE");
    for (const [id, body] of rows) this.#statement.run(id, body);
    this.#database.exec("COMMIT");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
  }
}
