import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoreLimits } from "../limits.ts";
import { openDatabase } from "./database.ts";
import type { Database } from "./database.ts";
import { SqliteStore } from "./store.ts";
import type { SqliteStoreOptions } from "./store.ts";

/** A place for one database file, gone after the test. */
export class TestFile implements Disposable {
  readonly #directory: string = mkdtempSync(join(tmpdir(), "levelset-store-"));
  readonly path: string = join(this.#directory, "data.db");

  open(limits: Omit<SqliteStoreOptions, "path"> = {}): Promise<SqliteStore> {
    return SqliteStore.open({ path: this.path, ...limits });
  }

  /** Opens a store whose database can be told to fail. */
  async openFaulty(limits: StoreLimits = {}): Promise<{ readonly store: SqliteStore; readonly faults: Faults }> {
    const faults = new Faults();
    const open = async (path: string): Promise<Database> => faults.watch(await openDatabase(path));
    return { store: await SqliteStore.open({ path: this.path, ...limits, open }), faults };
  }

  /** Runs statements on the file while no store has it. */
  async edit(...statements: readonly string[]): Promise<void> {
    const database = await openDatabase(this.path);
    for (const sql of statements) database.run(sql);
    database.close();
  }

  [Symbol.dispose](): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Lets calls of a database fail: before they do anything, or after they have done it. */
export class Faults {
  /** Calls so far. */
  calls = 0;
  #failing: { readonly call: number; readonly when: "before" | "after" } | undefined;
  #database: Database | undefined;

  /** Lets the n-th call from now on fail. */
  failNth(n: number, when: "before" | "after"): void {
    this.#failing = { call: this.calls + n, when };
  }

  /** No more failures. */
  heal(): void {
    this.#failing = undefined;
  }

  /** The database itself, past the faults. */
  get database(): Database {
    if (this.#database === undefined) throw new Error("not opened");
    return this.#database;
  }

  watch(database: Database): Database {
    this.#database = database;
    return {
      get isTransaction() {
        return database.isTransaction;
      },
      run: (sql, ...values) => this.#pass(() => database.run(sql, ...values)),
      rows: (sql, ...values) => this.#pass(() => database.rows(sql, ...values)),
      close: () => database.close(),
    };
  }

  #pass<T>(call: () => T): T {
    this.calls++;
    const isFailing = this.#failing?.call === this.calls;
    if (isFailing && this.#failing?.when === "before") throw new Error("disk I/O error");
    const result = call();
    if (isFailing) throw new Error("disk I/O error");
    return result;
  }
}
