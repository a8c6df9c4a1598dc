import { InputError } from "@levelset/core";
import type { QuarantinedRow, StoreKey } from "../store.ts";
import { classifySqliteError } from "./database.ts";
import type { SqliteConnection } from "./database.ts";
import { createVersionTable, corruptFileError, LINEAGE_TRIGGERS, singleRow } from "./file-format.ts";
import { positionOf } from "./journal.ts";
import { planRecovery } from "./recovery.ts";
import type { FileContent, Recovery } from "./recovery.ts";
import { readRows } from "./stored-row.ts";

type QuarantinePlan = Extract<Recovery, { kind: "quarantine" }>;

/** Reads all rows of a file, damaged or not. Throws InputError if the keys of the rows cannot be read. */
export function readContent(database: SqliteConnection, path: string): FileContent {
  try {
    return { ...readRows(database), position: positionOf(database), lineage: lineageOf(database) };
  } catch (error) {
    if (classifySqliteError(error) !== "damaged") throw error;
    throw corruptFileError(path, "the keys of its rows cannot be read", error);
  }
}

/** Reads the lineage. Returns an empty map if it cannot be read, or in format 1, which has none. */
function lineageOf(database: SqliteConnection): ReadonlyMap<number, StoreKey> {
  try {
    const rows = [...database.rows("SELECT * FROM lineage")];
    return new Map(
      rows.map(({ revision, resource, namespace, name }) => {
        return [Number(revision), { resource: String(resource), namespace: String(namespace), name: String(name) }];
      }),
    );
  } catch (error) {
    if (error instanceof Error) return new Map();
    throw error;
  }
}

/** Records the lineage of all intact rows. Used when a file is migrated from format 1. */
export function recordLineage(database: SqliteConnection): void {
  const { intact } = readRows(database);
  const insert = "INSERT INTO lineage (revision, resource, namespace, name) VALUES (?, ?, ?, ?)";
  database.run("BEGIN IMMEDIATE");
  for (const { revision, key } of intact) {
    database.run(insert, revision, key.resource, key.namespace, key.name);
  }
  database.run("COMMIT");
}

/** Returns the quarantined rows, sorted by revision. */
export function quarantineOf(database: SqliteConnection): readonly QuarantinedRow[] {
  const rows = [...database.rows("SELECT * FROM quarantine ORDER BY revision")];
  return rows.map(({ revision, resource, namespace, name, state, reason }) => ({
    revision: Number(revision),
    key:
      typeof resource === "string"
        ? { resource, namespace: String(namespace ?? ""), name: String(name ?? "") }
        : undefined,
    state: state === "superseded" ? "superseded" : "lost",
    reason: String(reason),
  }));
}

/** Returns which rows will be served and which quarantined. Throws InputError if the file cannot be recovered. */
export function checkRecoverable(database: SqliteConnection, path: string): QuarantinePlan {
  const plan = planRecovery(readContent(database, path));
  if (plan.kind === "beyond") throw corruptFileError(path, plan.why);
  return plan;
}

/**
 * Quarantines the damaged rows of a file in one transaction. The damaged table is renamed and stays unchanged; its
 * intact rows are copied to a new table. Throws InputError, without changing the file, if the file cannot be recovered.
 */
export function quarantineDamage(database: SqliteConnection, path: string): void {
  const plan = checkRecoverable(database, path);
  // Without a complete lineage or an intact table structure, missing rows could go undetected.
  const isCounted = plan.isComplete || checkTable(database, "version") === "ok";
  if (plan.quarantined.length === 0 && !isCounted)
    throw corruptFileError(path, checkTables(database) ?? "its tables are inconsistent");
  database.run("BEGIN IMMEDIATE");
  try {
    moveDamagedTable(database, plan);
    const health = checkTables(database);
    if (health !== undefined) throw corruptFileError(path, health);
    database.run("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.run("ROLLBACK");
    throw error instanceof InputError ? error : corruptFileError(path, "its damaged rows cannot be quarantined", error);
  }
}

function moveDamagedTable(database: SqliteConnection, plan: QuarantinePlan): void {
  const sql = "SELECT count(*) AS count FROM sqlite_schema WHERE name LIKE 'damaged!_%' ESCAPE '!'";
  const source = `damaged_${Number(singleRow(database, sql)["count"]) + 1}`;
  database.run("DROP TRIGGER version_inserted");
  database.run("DROP TRIGGER version_deleted");
  database.run(`ALTER TABLE version RENAME TO ${source}`);
  database.run(createVersionTable("version"));
  database.run("DELETE FROM lineage");
  for (const trigger of LINEAGE_TRIGGERS) database.run(trigger);
  const insert =
    "INSERT INTO version (revision, kind, resource, namespace, name, previous, json, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
  for (const { revision, kind, key, previous, json, checksum } of plan.rows) {
    database.run(insert, revision, kind, key.resource, key.namespace, key.name, previous, json, checksum);
  }
  database.run("UPDATE position SET compacted = ?", plan.compacted);
  const note =
    "INSERT INTO quarantine (revision, resource, namespace, name, state, reason, source) VALUES (?, ?, ?, ?, ?, ?, ?)";
  for (const { revision, key, state, reason } of plan.quarantined) {
    database.run(
      note,
      revision,
      key?.resource ?? null,
      key?.namespace ?? null,
      key?.name ?? null,
      state,
      reason,
      source,
    );
  }
}

const TABLES = ["version", "position", "lineage", "quarantine"];

/** Returns the first structural problem of a file, ignoring quarantined tables; undefined if there is none. */
export function checkTables(database: SqliteConnection): string | undefined {
  const sql = "SELECT count(*) AS count FROM sqlite_schema WHERE name LIKE 'damaged!_%' ESCAPE '!'";
  const isWhole = Number(singleRow(database, sql)["count"]) === 0;
  const problems = isWhole ? [checkTable(database, "1")] : TABLES.map((table) => checkTable(database, table));
  return problems.find((problem) => problem !== "ok");
}

/** Runs `PRAGMA quick_check` on a table, or on all tables if `what` is `1`. Returns the first problem, or `ok`. */
function checkTable(database: SqliteConnection, what: string): string {
  return String([...database.rows(`PRAGMA quick_check(${what})`)][0]?.["quick_check"]);
}
