import { existsSync } from "node:fs";
import { InputError } from "@levelset/core";
import type { QuarantinedRow } from "../store.ts";
import { openDatabase, classifySqliteError } from "./database.ts";
import type { SqliteConnection } from "./database.ts";
import { checkFormat, openFileError } from "./file-format.ts";
import { planRecovery } from "./recovery.ts";
import { checkTables, quarantineOf, readContent } from "./quarantine.ts";

/** Report of `levelset apiserver check` on a data file. */
export interface DataFileReport {
  readonly path: string;
  /** The revision of the latest write. */
  readonly revision: number;
  /** Number of rows with a matching checksum. */
  readonly intactRows: number;
  /** Rows that an earlier start quarantined. */
  readonly quarantined: readonly QuarantinedRow[];
  /** Rows that the next start will quarantine. */
  readonly damaged: readonly QuarantinedRow[];
  /** Why a server refuses to open the file; undefined if it opens it. */
  readonly refused: string | undefined;
}

/**
 * Checks every row of a data file without changing the file. Rejects with InputError if the file is missing, cannot be
 * opened, is in use, or was not written by this or an earlier version of levelset.
 */
export async function checkDataFile(path: string): Promise<DataFileReport> {
  if (!existsSync(path)) {
    throw new InputError(`cannot open ${path}: no such file`, { hint: "check the path given with --data" });
  }
  try {
    const database = await openDatabase(path, { readOnly: true });
    try {
      const format = checkFormat(database, path);
      return report(database, path, format > 1 ? quarantineOf(database) : []);
    } finally {
      database.close();
    }
  } catch (error) {
    throw openFileError(path, error);
  }
}

function report(database: SqliteConnection, path: string, quarantined: readonly QuarantinedRow[]): DataFileReport {
  const content = readContent(database, path);
  const structure = structureOf(database);
  const { position, intact } = content;
  const facts = { path, revision: position.revision, intactRows: intact.length, quarantined };
  const plan = planRecovery(content);
  if (plan.kind === "beyond") return { ...facts, damaged: [], refused: plan.why };
  const isClean = plan.quarantined.length === 0;
  return { ...facts, damaged: plan.quarantined, refused: isClean ? structure : undefined };
}

function structureOf(database: SqliteConnection): string | undefined {
  try {
    return checkTables(database);
  } catch (error) {
    if (classifySqliteError(error) !== "damaged" || !(error instanceof Error)) throw error;
    return error.message;
  }
}
