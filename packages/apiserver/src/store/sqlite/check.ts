import { existsSync } from "node:fs";
import { InputError } from "@levelset/core";
import type { QuarantinedRow } from "../contract.ts";
import { openDatabase, sqliteFailureOf } from "./database.ts";
import type { Database } from "./database.ts";
import { checkFormat, openFailure } from "./format.ts";
import { planRecovery } from "./recovery.ts";
import { checkTables, quarantineOf, readContent } from "./quarantine.ts";

/** What `levelset apiserver check` finds in a data file. */
export interface DataFileReport {
  readonly path: string;
  /** The revision of the latest write. */
  readonly revision: number;
  /** How many rows are what was written. */
  readonly intactRows: number;
  /** Rows that an earlier start set aside. */
  readonly quarantined: readonly QuarantinedRow[];
  /** Rows that the next start sets aside. */
  readonly damaged: readonly QuarantinedRow[];
  /** Why a server refuses the file; undefined when it opens it. */
  readonly refused: string | undefined;
}

/** Reads a data file from end to end and changes nothing. Throws InputError for a file that cannot be opened or is not ours. */
export async function checkDataFile(path: string): Promise<DataFileReport> {
  if (!existsSync(path)) {
    throw new InputError(`cannot open ${path}: there is no such file`, { hint: "check --data" });
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
    throw openFailure(path, error);
  }
}

function report(database: Database, path: string, quarantined: readonly QuarantinedRow[]): DataFileReport {
  const content = readContent(database, path);
  const structure = structureOf(database);
  const { position, intact } = content;
  const facts = { path, revision: position.revision, intactRows: intact.length, quarantined };
  const plan = planRecovery(content);
  if (plan.kind === "beyond") return { ...facts, damaged: [], refused: plan.why };
  const isClean = plan.quarantined.length === 0;
  return { ...facts, damaged: plan.quarantined, refused: isClean ? structure : undefined };
}

function structureOf(database: Database): string | undefined {
  try {
    return checkTables(database);
  } catch (error) {
    if (sqliteFailureOf(error) !== "damaged" || !(error instanceof Error)) throw error;
    return error.message;
  }
}
