import { toError } from "@levelset/core/internal";
import { SQLITE_DIALECT } from "../dialect.ts";
import { StoreUnusableError } from "../store-errors.ts";
import { MIGRATIONS, SCHEMA_VERSION } from "../migrations.ts";
import type { MigrationResult } from "../migrations.ts";
import type { SqlRow } from "../sql-row.ts";
import { COMMIT_SETUP } from "./commit-trigger.ts";
import { REPORT_SETUP } from "./report-trigger.ts";
import { sqliteFailureOf } from "./database.ts";
import type { Database } from "./database.ts";

/** The `application_id` of our files: the letters `lvlf`. */
const APPLICATION_ID = 0x6c_76_6c_66;

/**
 * Locks a file for this process and migrates it to the current schema. Returns the schema versions before and after.
 * Throws `StoreUnusableError` if the file belongs to another program, is damaged or was written by a newer levelset;
 * the file is then left unchanged.
 */
export function prepareFile(database: Database, path: string): MigrationResult {
  try {
    database.rows("PRAGMA locking_mode = EXCLUSIVE");
    // Acquired now and held until the file is closed.
    database.rows("BEGIN EXCLUSIVE");
    const steps = stepsOf(database, path);
    database.rows("COMMIT");
    database.rows("PRAGMA journal_mode = WAL");
    // Every commit is flushed to disk before it returns.
    database.rows("PRAGMA synchronous = FULL");
    database.rows("PRAGMA foreign_keys = ON");
    database.rows("PRAGMA temp_store = MEMORY");
    const health = one(database, "PRAGMA quick_check(1)")["quick_check"];
    if (health !== "ok") throw new StoreUnusableError(`${path} is damaged: ${String(health)}`);
    for (const [index, step] of MIGRATIONS.entries())
      if (index >= steps) take(database, step(SQLITE_DIALECT), index + 1);
    for (const sql of [...COMMIT_SETUP, ...REPORT_SETUP]) database.rows(sql);
    return { from: steps, to: SCHEMA_VERSION };
  } catch (error) {
    throw openFailure(path, error);
  }
}

/** Returns the schema version of a file. Throws `StoreUnusableError` if the file belongs to another program. */
function stepsOf(database: Database, path: string): number {
  const isEmpty = one(database, "SELECT count(*) AS count FROM sqlite_schema")["count"] === 0;
  const application = Number(one(database, "PRAGMA application_id")["application_id"]);
  const steps = Number(one(database, "PRAGMA user_version")["user_version"]);
  if (!isEmpty && application !== APPLICATION_ID)
    throw new StoreUnusableError(`${path} is a database of another program`);
  if (steps > SCHEMA_VERSION) {
    throw new StoreUnusableError(
      `${path} was written by a newer levelset (schema ${steps}, this one supports ${SCHEMA_VERSION}): upgrade levelset`,
    );
  }
  return steps;
}

function take(database: Database, step: readonly string[], number: number): void {
  database.rows("BEGIN EXCLUSIVE");
  for (const sql of step) database.rows(sql);
  database.rows(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.rows(`PRAGMA user_version = ${number}`);
  database.rows("COMMIT");
}

function one(database: Database, sql: string): SqlRow {
  return database.rows(sql)[0] ?? {};
}

function openFailure(path: string, error: unknown): Error {
  if (error instanceof StoreUnusableError) return error;
  const { message } = toError(error);
  const failure = sqliteFailureOf(error);
  if (failure === "busy") return new StoreUnusableError(`${path} is in use by another process`, { cause: error });
  if (failure === "damaged") return new StoreUnusableError(`${path} is damaged: ${message}`, { cause: error });
  return new StoreUnusableError(`cannot open ${path}: ${message}`, { cause: error });
}
