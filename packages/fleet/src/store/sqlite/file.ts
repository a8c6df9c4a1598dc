import { toError } from "@levelset/core";
import { SQLITE } from "../dialect.ts";
import { StoreUnusable } from "../errors.ts";
import { MIGRATIONS, SCHEMA_VERSION } from "../migrations.ts";
import type { Migrated } from "../migrations.ts";
import type { SqlRow } from "../sql-row.ts";
import { COMMIT_SETUP } from "./commit-trigger.ts";
import { REPORT_SETUP } from "./report-trigger.ts";
import { sqliteFailureOf } from "./database.ts";
import type { Database } from "./database.ts";

/** Marks a file as ours: the letters `lvlf`. */
const APPLICATION_ID = 0x6c_76_6c_66;

/**
 * Takes hold of a file for this process alone, and brings it to the present tables. A file that is not ours, is damaged or is from a newer
 * levelset is refused with `StoreUnusable` and left as it is. Says from which tables it came.
 */
export function prepareFile(database: Database, path: string): Migrated {
  try {
    database.rows("PRAGMA locking_mode = EXCLUSIVE");
    // Taken now and kept until the file is closed.
    database.rows("BEGIN EXCLUSIVE");
    const steps = stepsOf(database, path);
    database.rows("COMMIT");
    database.rows("PRAGMA journal_mode = WAL");
    // Every commit is on the disk before it returns.
    database.rows("PRAGMA synchronous = FULL");
    database.rows("PRAGMA foreign_keys = ON");
    database.rows("PRAGMA temp_store = MEMORY");
    const health = one(database, "PRAGMA quick_check(1)")["quick_check"];
    if (health !== "ok") throw new StoreUnusable(`${path} is damaged: ${String(health)}`);
    for (const [index, step] of MIGRATIONS.entries()) if (index >= steps) take(database, step(SQLITE), index + 1);
    for (const sql of [...COMMIT_SETUP, ...REPORT_SETUP]) database.rows(sql);
    return { from: steps, to: SCHEMA_VERSION };
  } catch (error) {
    throw openFailure(path, error);
  }
}

/** How many steps a file has taken. Refuses one that is not ours. */
function stepsOf(database: Database, path: string): number {
  const isEmpty = one(database, "SELECT count(*) AS count FROM sqlite_schema")["count"] === 0;
  const application = Number(one(database, "PRAGMA application_id")["application_id"]);
  const steps = Number(one(database, "PRAGMA user_version")["user_version"]);
  if (!isEmpty && application !== APPLICATION_ID) throw new StoreUnusable(`${path} is the database of another program`);
  if (steps > SCHEMA_VERSION) {
    throw new StoreUnusable(
      `${path} was written by a newer levelset (schema ${steps}, this one knows ${SCHEMA_VERSION})`,
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
  if (error instanceof StoreUnusable) return error;
  const { message } = toError(error);
  const failure = sqliteFailureOf(error);
  if (failure === "busy") return new StoreUnusable(`${path} is in use by another process`, { cause: error });
  if (failure === "damaged") return new StoreUnusable(`${path} is damaged: ${message}`, { cause: error });
  return new StoreUnusable(`cannot open ${path}: ${message}`, { cause: error });
}
