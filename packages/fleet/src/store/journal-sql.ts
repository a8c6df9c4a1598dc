import { parseJson, stringifyJson } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import type { TextMap } from "../resource/index.ts";
import type { Dialect } from "./dialect.ts";
import type { JournalAction, JournalEntry, JournalQuery } from "./journal.ts";
import { tenancyOf } from "./resource-row.ts";
import { integerIn, optionalText, Parameters, textIn } from "./sql-row.ts";
import type { SqlRow, Statement } from "./sql-row.ts";

/** Gives entries, the newest first. */
export function journalStatement(query: JournalQuery, dialect: Dialect): Statement {
  const parameters = new Parameters();
  const { resourceId, adapter, actions, before, limit } = query;
  const tenancy = tenancyOf(query.scope);
  const conditions = [
    ...(tenancy === undefined ? [] : [`tenancy = ${parameters.add(tenancy)}`]),
    ...(resourceId === undefined ? [] : [`resource_id = ${parameters.add(resourceId)}`]),
    ...(adapter === undefined ? [] : [`adapter = ${parameters.add(adapter)}`]),
    ...(actions === undefined ? [] : [dialect.among("action", parameters.add(stringifyJson(actions)))]),
    // There is an index of what is no report, and most entries are reports.
    ...(actions === undefined || actions.includes("report") ? [] : ["action <> 'report'"]),
    ...(before === undefined ? [] : [`id < ${parameters.add(before)}`]),
  ];
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  return {
    text: `SELECT * FROM journal ${where} ORDER BY id DESC LIMIT ${parameters.add(limit)}`,
    parameters: parameters.values,
  };
}

/** The entry in a row. */
export function entryOf(row: SqlRow): JournalEntry {
  const adapter = optionalText(row, "adapter");
  const details = optionalText(row, "details");
  return {
    id: textIn(row, "id"),
    time: integerIn(row, "time"),
    // This and the two below were written from these very types.
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

/** How many entries go at a time, so that nobody waits long. */
const TRIM_ROWS = 1_000;
/** How late an entry may be committed after the time in its id. */
const LATE_MS = 10 * 60_000;

/** The lowest id that an entry of a time can have. */
function idFrom(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** Removes some of the audit before a time; gives the ids. To be run until it gives none. */
export function trimAuditStatement(before: number): Statement {
  return {
    text: `DELETE FROM journal WHERE id IN (
      SELECT id FROM journal WHERE action <> 'report' AND id < $1 ORDER BY id LIMIT ${TRIM_ROWS}) RETURNING id`,
    parameters: [idFrom(before)],
  };
}

/** Gives some of the resources that had reports since a time, in the order of their ids. */
export function reportedStatement(since: number, after: string): Statement {
  return {
    text: `SELECT DISTINCT resource_id FROM journal WHERE id >= $1 AND action = 'report' AND resource_id > $2
      ORDER BY resource_id LIMIT ${TRIM_ROWS}`,
    parameters: [idFrom(since - LATE_MS), after],
  };
}

/**
 * Removes the oldest reports of resources. Adapters share the number to keep: those of one that reports often do not push out those of the others, of
 * which each has its newest kept.
 */
export function trimReportsStatement(ids: readonly string[], keep: number, dialect: Dialect): Statement {
  return {
    text: `DELETE FROM journal WHERE id IN (
      SELECT id FROM (
        SELECT own.id, row_number() OVER (PARTITION BY own.resource_id ORDER BY own.place, own.id DESC) AS place
        FROM (
          SELECT j.id, j.resource_id, row_number() OVER (PARTITION BY j.resource_id, j.adapter ORDER BY j.id DESC) AS place
          FROM journal j WHERE ${dialect.among("j.resource_id", "$1")} AND j.action = 'report') own) placed
      WHERE place > $2)`,
    parameters: [stringifyJson(ids), keep],
  };
}

/** Removes kept answers before a time. */
export function trimAnswersStatement(before: number): Statement {
  return { text: "DELETE FROM answers WHERE time < $1", parameters: [before] };
}
