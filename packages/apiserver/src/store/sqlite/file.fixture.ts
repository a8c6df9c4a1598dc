import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoreLimits } from "../limits.ts";
import { openDatabase } from "./database.ts";
import type { SqliteConnection } from "./database.ts";
import { SqliteStore } from "./sqlite-store.ts";
import type { SqliteStoreOptions } from "./sqlite-store.ts";

/** A temporary data file, removed on disposal. */
export class TestFile implements Disposable {
  readonly #directory: string = mkdtempSync(join(tmpdir(), "levelset-store-"));
  readonly path: string = join(this.#directory, "data.db");

  open(limits: Omit<SqliteStoreOptions, "path"> = {}): Promise<SqliteStore> {
    return SqliteStore.open({ path: this.path, ...limits });
  }

  /** Opens a store with fault injection. */
  async openFaulty(limits: StoreLimits = {}): Promise<{ readonly store: SqliteStore; readonly faults: Faults }> {
    const faults = new Faults();
    const open = async (path: string): Promise<SqliteConnection> => faults.watch(await openDatabase(path));
    return { store: await SqliteStore.open({ path: this.path, ...limits, open }), faults };
  }

  /** Executes statements on the file. It must not be open in a store. */
  async edit(...statements: readonly string[]): Promise<void> {
    const database = await openDatabase(this.path);
    for (const sql of statements) database.run(sql);
    database.close();
  }

  [Symbol.dispose](): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Injects failures into database calls, before or after they take effect. */
export class Faults {
  /** Number of calls so far. */
  calls = 0;
  #failing: { readonly call: number; readonly when: "before" | "after" } | undefined;
  #database: SqliteConnection | undefined;

  /** Fails the n-th call from now. */
  failNth(n: number, when: "before" | "after"): void {
    this.#failing = { call: this.calls + n, when };
  }

  /** Stops injecting failures. */
  heal(): void {
    this.#failing = undefined;
  }

  /** The underlying database, without fault injection. */
  get database(): SqliteConnection {
    if (this.#database === undefined) throw new Error("not opened");
    return this.#database;
  }

  watch(database: SqliteConnection): SqliteConnection {
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
