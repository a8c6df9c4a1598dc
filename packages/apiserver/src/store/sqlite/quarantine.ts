import { InputError } from "@levelset/core";
import type { QuarantinedRow, StoreKey } from "../contract.ts";
import { sqliteFailureOf } from "./database.ts";
import type { Database } from "./database.ts";
import { createVersionTable, damaged, LINEAGE_TRIGGERS, one } from "./format.ts";
import { positionOf } from "./journal.ts";
import { planRecovery } from "./recovery.ts";
import type { FileContent, Recovery } from "./recovery.ts";
import { readRows } from "./stored-row.ts";

type QuarantinePlan = Extract<Recovery, { kind: "quarantine" }>;

/** Reads a file row by row. Throws InputError when not even the keys of the rows can be read. */
export function readContent(database: Database, path: string): FileContent {
  try {
    return { ...readRows(database), position: positionOf(database), lineage: lineageOf(database) };
  } catch (error) {
    if (sqliteFailureOf(error) !== "damaged") throw error;
    throw damaged(path, "its rows cannot be found", error);
  }
}

/** Empty where it cannot be read, or in a file from before there was one. */
function lineageOf(database: Database): ReadonlyMap<number, StoreKey> {
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

/** Writes down the lineage of the rows in a file from before there was one, as far as they are what was written. */
export function recordLineage(database: Database): void {
  const { intact } = readRows(database);
  const insert = "INSERT INTO lineage (revision, resource, namespace, name) VALUES (?, ?, ?, ?)";
  database.run("BEGIN IMMEDIATE");
  for (const { revision, key } of intact) {
    database.run(insert, revision, key.resource, key.namespace, key.name);
  }
  database.run("COMMIT");
}

/** The rows in quarantine, by revision. */
export function quarantineOf(database: Database): readonly QuarantinedRow[] {
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

/** Returns what is served of a file, and what is not. Throws InputError when a lost row has no known object. */
export function checkRecoverable(database: Database, path: string): QuarantinePlan {
  const plan = planRecovery(readContent(database, path));
  if (plan.kind === "beyond") throw damaged(path, plan.why);
  return plan;
}

/**
 * Sets the damaged rows of a file aside and leaves a file that is whole: the table with the damage stays as it is, byte for byte,
 * under another name; what can be read of it goes into a new one. One transaction. Throws InputError, and leaves the file alone,
 * when a lost row has no known object.
 */
export function quarantineDamage(database: Database, path: string): void {
  const plan = checkRecoverable(database, path);
  // Where neither the lineage nor the structure vouches for the number of rows, some may be missing without a trace.
  const isCounted = plan.isComplete || checkTable(database, "version") === "ok";
  if (plan.quarantined.length === 0 && !isCounted)
    throw damaged(path, checkTables(database) ?? "it contradicts itself");
  database.run("BEGIN IMMEDIATE");
  try {
    setAside(database, plan);
    const health = checkTables(database);
    if (health !== undefined) throw damaged(path, health);
    database.run("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.run("ROLLBACK");
    throw error instanceof InputError ? error : damaged(path, "its damaged rows cannot be set aside", error);
  }
}

function setAside(database: Database, plan: QuarantinePlan): void {
  const sql = "SELECT count(*) AS count FROM sqlite_schema WHERE name LIKE 'damaged!_%' ESCAPE '!'";
  const source = `damaged_${Number(one(database, sql)["count"]) + 1}`;
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

/** What is wrong with the structure of a file, besides the tables that were set aside; undefined for nothing. */
export function checkTables(database: Database): string | undefined {
  const sql = "SELECT count(*) AS count FROM sqlite_schema WHERE name LIKE 'damaged!_%' ESCAPE '!'";
  const isWhole = Number(one(database, sql)["count"]) === 0;
  const problems = isWhole ? [checkTable(database, "1")] : TABLES.map((table) => checkTable(database, table));
  return problems.find((problem) => problem !== "ok");
}

/** What is wrong with a table, or with all of them: `1` problem at most. */
function checkTable(database: Database, what: string): string {
  return String([...database.rows(`PRAGMA quick_check(${what})`)][0]?.["quick_check"]);
}
