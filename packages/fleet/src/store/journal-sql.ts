import { parseJson, stringifyJson } from "@levelset/core/internal";
import type { JsonObject } from "@levelset/core";
import type { TextMap } from "../resource/index.ts";
import type { Dialect } from "./dialect.ts";
import type { JournalAction, JournalEntry, JournalQuery } from "./journal.ts";
import { tenancyOf } from "./resource-row.ts";
import { integerIn, optionalText, Parameters, textIn } from "./sql-row.ts";
import type { SqlRow, Statement } from "./sql-row.ts";

/** Selects journal entries, newest first. */
export function journalStatement(query: JournalQuery, dialect: Dialect): Statement {
  const parameters = new Parameters();
  const { resourceId, adapter, actions, before, limit } = query;
  const tenancy = tenancyOf(query.scope);
  const conditions = [
    ...(tenancy === undefined ? [] : [`tenancy = ${parameters.add(tenancy)}`]),
    ...(resourceId === undefined ? [] : [`resource_id = ${parameters.add(resourceId)}`]),
    ...(adapter === undefined ? [] : [`adapter = ${parameters.add(adapter)}`]),
    ...(actions === undefined ? [] : [dialect.isAnyOf("action", parameters.add(stringifyJson(actions)))]),
    // Most entries are reports; a partial index covers all other actions.
    ...(actions === undefined || actions.includes("report") ? [] : ["action <> 'report'"]),
    ...(before === undefined ? [] : [`id < ${parameters.add(before)}`]),
  ];
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  return {
    text: `SELECT * FROM journal ${where} ORDER BY id DESC LIMIT ${parameters.add(limit)}`,
    parameters: parameters.values,
  };
}

/** Converts a row to a journal entry. */
export function journalEntryFromRow(row: SqlRow): JournalEntry {
  const adapter = optionalText(row, "adapter");
  const details = optionalText(row, "details");
  return {
    id: textIn(row, "id"),
    time: integerIn(row, "time"),
    // This and the casts below are safe: the columns are only written from these types.
    action: textIn(row, "action") as JournalAction,
    resourceId: textIn(row, "resource_id"),
    kind: textIn(row, "kind"),
    name: textIn(row, "name"),
    tenancy: parseJson(textIn(row, "tenancy")) as TextMap,
    by: textIn(row, "by_whom"),
    requestId: textIn(row, "request_id"),
    generation: integerIn(row, "generation"),
    ...(adapter === undefined ? {} : { adapter }),
    ...(details === undefined ? {} : { details: parseJson(details) as JsonObject }),
  };
}

/** Deletes at most this many entries per statement, to keep transactions short. */
const TRIM_ROWS = 1_000;
/** How long after the time in its ID an entry may be committed. */
const LATE_MS = 10 * 60_000;

/** Returns the lowest ID that an entry of this time can have. */
function idFrom(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** Deletes some of the audit entries before a time and returns the deleted IDs. Run it until it returns no rows. */
export function trimAuditStatement(before: number): Statement {
  return {
    text: `DELETE FROM journal WHERE id IN (
      SELECT id FROM journal WHERE action <> 'report' AND id < $1 ORDER BY id LIMIT ${TRIM_ROWS}) RETURNING id`,
    parameters: [idFrom(before)],
  };
}

/** Selects some of the resources that had reports since a time, ordered by ID. */
export function reportedStatement(since: number, after: string): Statement {
  return {
    text: `SELECT DISTINCT resource_id FROM journal WHERE id >= $1 AND action = 'report' AND resource_id > $2
      ORDER BY resource_id LIMIT ${TRIM_ROWS}`,
    parameters: [idFrom(since - LATE_MS), after],
  };
}

/**
 * Deletes the oldest reports of resources. The retained number is shared fairly among adapters: an adapter that reports
 * often does not displace the reports of others, and the newest report of each adapter is retained.
 */
export function trimReportsStatement(ids: readonly string[], keep: number, dialect: Dialect): Statement {
  return {
    text: `DELETE FROM journal WHERE id IN (
      SELECT id FROM (
        SELECT own.id, row_number() OVER (PARTITION BY own.resource_id ORDER BY own.place, own.id DESC) AS place
        FROM (
          SELECT j.id, j.resource_id, row_number() OVER (PARTITION BY j.resource_id, j.adapter ORDER BY j.id DESC) AS place
          FROM journal j WHERE ${dialect.isAnyOf("j.resource_id", "$1")} AND j.action = 'report') own) placed
      WHERE place > $2)`,
    parameters: [stringifyJson(ids), keep],
  };
}

/** Deletes idempotent responses before a time. */
export function trimResponsesStatement(before: number): Statement {
  return { text: "DELETE FROM answers WHERE time < $1", parameters: [before] };
}
