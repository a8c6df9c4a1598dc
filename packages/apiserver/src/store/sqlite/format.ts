import { InputError, toError } from "@levelset/core";
import { sqliteFailureOf } from "./database.ts";
import type { Database, SqlRow } from "./database.ts";

/** Marks a file as ours: the letters `lvls`. */
const APPLICATION_ID = 0x6c_76_6c_73;

/**
 * Record the revision and the object of each row a second time, away from the rows. When a row is damaged or missing, the record
 * says which object is lost, and which older row is out of date.
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
 * How a file came to its present format, step by step. A file remembers how many steps it has taken; a step that was released is
 * never changed again.
 *
 * Every write is a row of `version`, and the present objects are the latest rows of each key: a write adds one row and touches
 * no other. `position` says how far the file has come, and from where on the past is complete.
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

/** The format of a file that was opened. */
export interface FileFormat {
  readonly steps: number;
  /** Whether it has rows in an older format. */
  readonly isOlder: boolean;
}

/** Brings a file to the present format. */
export function migrateFile(database: Database, { steps }: FileFormat): void {
  for (const [index, step] of MIGRATIONS.entries()) if (index >= steps) take(database, step, index + 1);
}

/**
 * Takes hold of a file for this process alone. A file that is not ours or is from a newer
 * levelset is refused with an InputError and left as it is.
 */
export function prepareFile(database: Database, path: string): FileFormat {
  try {
    database.run("PRAGMA locking_mode = EXCLUSIVE");
    // Only a file without a single page takes this.
    if (one(database, "PRAGMA page_count")["page_count"] === 0) database.run("PRAGMA auto_vacuum = INCREMENTAL");
    // Taken now and kept until the file is closed.
    database.run("BEGIN EXCLUSIVE");
    const steps = stepsOf(database, path);
    database.run("COMMIT");
    database.run("PRAGMA journal_mode = WAL");
    // Every commit is on the disk before it returns.
    database.run("PRAGMA synchronous = FULL");
    // A short log: what is in it needs its place a second time before it can go.
    database.run("PRAGMA wal_autocheckpoint = 256");
    database.run("PRAGMA journal_size_limit = 4194304");
    return { steps, isOlder: steps > 0 && steps < MIGRATIONS.length };
  } catch (error) {
    throw openFailure(path, error);
  }
}

/** The table of versions. Part of the first step, so never changed. */
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

/** The format of a file that holds something. Throws InputError for one that is not ours, is empty or is from a newer levelset. */
export function checkFormat(database: Database, path: string): number {
  const steps = stepsOf(database, path);
  if (steps === 0) throw new InputError(`${path} is empty`, { hint: "levelset apiserver --data creates its tables" });
  return steps;
}

/** How many steps a file has taken. Refuses one that is not ours. */
function stepsOf(database: Database, path: string): number {
  const isEmpty = one(database, "SELECT count(*) AS count FROM sqlite_schema")["count"] === 0;
  const application = Number(one(database, "PRAGMA application_id")["application_id"]);
  const steps = Number(one(database, "PRAGMA user_version")["user_version"]);
  if (!isEmpty && application !== APPLICATION_ID) {
    throw new InputError(`${path} is the database of another program`, { hint: "name another file" });
  }
  if (steps > MIGRATIONS.length) {
    throw new InputError(
      `${path} was written by a newer levelset (format ${steps}, this one knows ${MIGRATIONS.length})`,
      {
        hint: "use that version, or another file",
      },
    );
  }
  return steps;
}

function take(database: Database, step: readonly string[], number: number): void {
  database.run("BEGIN EXCLUSIVE");
  for (const sql of step) database.run(sql);
  database.run(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.run(`PRAGMA user_version = ${number}`);
  database.run("COMMIT");
}

/** The only row of a statement. */
export function one(database: Database, sql: string): SqlRow {
  const [row, ...others] = database.rows(sql);
  if (row === undefined || others.length > 0) throw new TypeError(`${sql} gave not one row`);
  return row;
}

/** A file that does not hold what was written to it. */
export function damaged(path: string, what: string, cause?: unknown): InputError {
  return new InputError(`${path} is damaged: ${what}`, {
    hint: `nothing was changed; levelset apiserver check --data ${path} lists what can be read; put back a copy of it, or move it away (with ${path}-wal, if there is one) to begin empty`,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Why a file could not be opened, in words for whoever named it. */
export function openFailure(path: string, error: unknown): Error {
  if (error instanceof InputError) return error;
  const { message } = toError(error);
  switch (sqliteFailureOf(error)) {
    case "busy":
      return new InputError(`${path} is in use by another process`, {
        hint: "stop the other server, or name another file",
        cause: error,
      });
    case "damaged":
      return damaged(path, message, error);
    case "full":
    case "other":
      return new InputError(`cannot open ${path}: ${message}`, {
        hint: "check the path, its permissions and the space on the disk",
        cause: error,
      });
  }
}
