import { InputError } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import { classifySqliteError } from "./database.ts";
import type { SqliteConnection, SqlRow } from "./database.ts";

/** SQLite application id of levelset data files: the ASCII letters `lvls`. */
const APPLICATION_ID = 0x6c_76_6c_73;

/**
 * Triggers that record the revision and the key of each row a second time, in the table `lineage`. When a row is
 * damaged or missing, its lineage identifies the lost object and the older rows that must not be served.
 */
export const LINEAGE_TRIGGERS: readonly string[] = [
  `CREATE TRIGGER version_inserted AFTER INSERT ON version BEGIN
    INSERT INTO lineage (revision, resource, namespace, name) VALUES (NEW.revision, NEW.resource, NEW.namespace, NEW.name);
  END`,
  `CREATE TRIGGER version_deleted AFTER DELETE ON version BEGIN
    DELETE FROM lineage WHERE revision = OLD.revision;
  END`,
];

/**
 * Schema migrations. `PRAGMA user_version` counts the applied ones. A released migration is never changed.
 *
 * Every write inserts one row into `version`; the latest row of each key is the current object. `position` holds the
 * latest revision and the revision up to which the history is compacted.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    createVersionTable("version"),
    `CREATE TABLE position (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      revision INTEGER NOT NULL,
      compacted INTEGER NOT NULL
    ) STRICT`,
    "INSERT INTO position (id, revision, compacted) VALUES (1, 1, 1)",
  ],
  [
    `CREATE TABLE lineage (
      revision INTEGER PRIMARY KEY,
      resource TEXT NOT NULL,
      namespace TEXT NOT NULL,
      name TEXT NOT NULL
    ) STRICT`,
    ...LINEAGE_TRIGGERS,
    `CREATE TABLE quarantine (
      revision INTEGER NOT NULL,
      resource TEXT,
      namespace TEXT,
      name TEXT,
      state TEXT NOT NULL CHECK (state IN ('lost', 'superseded')),
      reason TEXT NOT NULL,
      source TEXT NOT NULL
    ) STRICT`,
  ],
];

/** Format of an opened file. */
export interface FileFormat {
  readonly steps: number;
  /** Whether the file contains rows in an older format. */
  readonly isOlder: boolean;
}

/** Applies the missing migrations, each in its own transaction. */
export function migrateFile(database: SqliteConnection, { steps }: FileFormat): void {
  for (const [index, step] of MIGRATIONS.entries()) if (index >= steps) take(database, step, index + 1);
}

/**
 * Locks a file for this process until it is closed, and configures durability. Throws InputError, without changing the
 * file, if it is in use, belongs to another program or was written by a newer levelset.
 */
export function prepareFile(database: SqliteConnection, path: string): FileFormat {
  try {
    database.run("PRAGMA locking_mode = EXCLUSIVE");
    // auto_vacuum can be set only before the first page is written.
    if (singleRow(database, "PRAGMA page_count")["page_count"] === 0) database.run("PRAGMA auto_vacuum = INCREMENTAL");
    // Acquires the lock. With locking_mode EXCLUSIVE it is held until the file is closed.
    database.run("BEGIN EXCLUSIVE");
    const steps = stepsOf(database, path);
    database.run("COMMIT");
    database.run("PRAGMA journal_mode = WAL");
    // Syncs the WAL on every commit.
    database.run("PRAGMA synchronous = FULL");
    // Keeps the WAL short, because its pages take disk space a second time until they are checkpointed.
    database.run("PRAGMA wal_autocheckpoint = 256");
    database.run("PRAGMA journal_size_limit = 4194304");
    return { steps, isOlder: steps > 0 && steps < MIGRATIONS.length };
  } catch (error) {
    throw openFileError(path, error);
  }
}

/** Returns the DDL of the table `version`. Part of the first migration, so it must not change. */
export function createVersionTable(name: string): string {
  return `CREATE TABLE ${name} (
      revision INTEGER PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('created', 'updated', 'deleted')),
      resource TEXT NOT NULL,
      namespace TEXT NOT NULL,
      name TEXT NOT NULL,
      previous INTEGER,
      json TEXT,
      checksum INTEGER NOT NULL
    ) STRICT`;
}

/**
 * Returns the number of applied migrations. Throws InputError if the file is empty, belongs to another program or was
 * written by a newer levelset.
 */
export function checkFormat(database: SqliteConnection, path: string): number {
  const steps = stepsOf(database, path);
  if (steps === 0)
    throw new InputError(`${path} is empty`, { hint: `create its tables with: levelset apiserver --data ${path}` });
  return steps;
}

/** Returns the number of applied migrations; 0 for an empty file. Throws InputError for a file of another program. */
function stepsOf(database: SqliteConnection, path: string): number {
  const isEmpty = singleRow(database, "SELECT count(*) AS count FROM sqlite_schema")["count"] === 0;
  const application = Number(singleRow(database, "PRAGMA application_id")["application_id"]);
  const steps = Number(singleRow(database, "PRAGMA user_version")["user_version"]);
  if (!isEmpty && application !== APPLICATION_ID) {
    throw new InputError(`${path} is the database of another program`, { hint: "pass another file with --data" });
  }
  if (steps > MIGRATIONS.length) {
    throw new InputError(
      `${path} was written by a newer levelset (format ${steps}, this version supports up to ${MIGRATIONS.length})`,
      {
        hint: "use the newer version, or pass another file with --data",
      },
    );
  }
  return steps;
}

function take(database: SqliteConnection, step: readonly string[], number: number): void {
  database.run("BEGIN EXCLUSIVE");
  for (const sql of step) database.run(sql);
  database.run(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.run(`PRAGMA user_version = ${number}`);
  database.run("COMMIT");
}

/** Returns the only row of a statement. Throws TypeError for any other number of rows. */
export function singleRow(database: SqliteConnection, sql: string): SqlRow {
  const [row, ...others] = database.rows(sql);
  if (row === undefined || others.length > 0) throw new TypeError(`${sql} did not return exactly one row`);
  return row;
}

/** Returns the error for a damaged file. */
export function corruptFileError(path: string, what: string, cause?: unknown): InputError {
  return new InputError(`${path} is damaged: ${what}`, {
    hint: `the file was not changed; run: levelset apiserver check --data ${path}; then restore a backup, or move the file (and ${path}-wal, if it exists) away to start empty`,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Converts an error from opening a file to an InputError with a hint. InputErrors are returned unchanged. */
export function openFileError(path: string, error: unknown): Error {
  if (error instanceof InputError) return error;
  const { message } = toError(error);
  switch (classifySqliteError(error)) {
    case "busy":
      return new InputError(`${path} is in use by another process`, {
        hint: "stop the other server, or pass another file with --data",
        cause: error,
      });
    case "damaged":
      return corruptFileError(path, message, error);
    case "full":
    case "other":
      return new InputError(`cannot open ${path}: ${message}`, {
        hint: "check the path, its permissions and the free disk space",
        cause: error,
      });
  }
}
