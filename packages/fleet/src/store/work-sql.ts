import { stringifyJson } from "@levelset/core/internal";
import { listText, workRow } from "./change-rows.ts";
import type { Dialect } from "./dialect.ts";
import type { Claim, ClaimRequest, Completion, PlannedWork, UrgentCause, WorkStatus } from "./due-work.ts";
import { storedColumns } from "./resource-row.ts";
import { integerIn, optionalInteger, optionalText, Parameters } from "./sql-row.ts";
import type { SqlRow, Statement } from "./sql-row.ts";
import type { StoredResource } from "./stored-resource.ts";

/**
 * Merges new work into planned work, for DO UPDATE SET. Unclaimed work stays due since its first cause. Claimed work
 * has been seen by its holder, so a new cause counts from its own time.
 */
export const RESCHEDULE_SQL = `
  urgent_time = CASE
    WHEN excluded.urgent_time IS NULL THEN due_work.urgent_time
    WHEN due_work.holder IS NULL AND due_work.urgent_time < excluded.urgent_time THEN due_work.urgent_time
    ELSE excluded.urgent_time END,
  urgent_cause = CASE
    WHEN excluded.urgent_cause IS NULL THEN due_work.urgent_cause
    WHEN excluded.urgent_cause = 'wake' THEN coalesce(due_work.urgent_cause, excluded.urgent_cause)
    ELSE excluded.urgent_cause END,
  urgent_plan = due_work.urgent_plan + excluded.urgent_plan,
  refresh_time = excluded.refresh_time,
  refresh_plan = due_work.refresh_plan + 1`;

/** Claims due work. Selects the oldest of each kind, so that unclaimed work of one kind does not block other kinds. */
export function claimStatement(request: ClaimRequest, dialect: Dialect): Statement {
  const parameters = new Parameters();
  const { holder, now, leaseMs, limit, kinds } = request;
  const most = parameters.add(limit);
  const time = (): string => (now === undefined ? dialect.now : parameters.add(now));
  const until = (): string =>
    now === undefined ? `${dialect.now} + ${parameters.add(leaseMs)}` : parameters.add(now + leaseMs);
  const oldest = kinds.map(
    (kind) => `SELECT * FROM (
      SELECT resource_id, next_time FROM due_work WHERE kind = ${parameters.add(kind)} AND next_time <= ${time()}
      ORDER BY next_time LIMIT ${most} ${dialect.skipLocked}) one`,
  );
  const text = `WITH due AS MATERIALIZED (
      SELECT resource_id FROM (${oldest.join(" UNION ALL ")}) every ORDER BY next_time LIMIT ${most})
    UPDATE due_work SET holder = ${parameters.add(holder)}, lease_until = ${until()}
    WHERE resource_id IN (SELECT resource_id FROM due)
    RETURNING resource_id, urgent_time, urgent_cause, urgent_plan, refresh_plan, due_time, pulsed_time, ${dialect.now} AS store_time`;
  return { text, parameters: parameters.values };
}

/** Selects the work of one resource. */
export const SELECT_WORK_SQL = "SELECT urgent_cause, due_time, pulsed_time FROM due_work WHERE resource_id = $1";

/** Converts a row to a work status. */
export function workStatusOf(row: SqlRow): WorkStatus {
  // The column is only written from this type.
  const cause = optionalText(row, "urgent_cause") as UrgentCause | undefined;
  return {
    cause: cause ?? "refresh",
    dueTime: optionalInteger(row, "due_time"),
    pulsedTime: optionalInteger(row, "pulsed_time"),
  };
}

/** Converts a claimed row to a claim. */
export function claimOf(row: SqlRow, holder: string, stored: StoredResource): Claim {
  return {
    ...workStatusOf(row),
    resource: stored,
    dueTime: integerIn(row, "due_time"),
    holder,
    counters: { urgent: integerIn(row, "urgent_plan"), refresh: integerIn(row, "refresh_plan") },
  };
}

/** Releases claims. Rows are locked in ID order like in commits, to avoid deadlocks. */
export function completeStatement(completions: readonly Completion[], dialect: Dialect): Statement {
  const rows = completions.map(({ resourceId, holder, counters, pulsedTime, refreshTime }) => ({
    resource_id: resourceId,
    holder,
    urgent_plan: counters.urgent,
    refresh_plan: counters.refresh,
    pulsed_time: pulsedTime ?? null,
    refresh_time: refreshTime === undefined ? null : Math.ceil(refreshTime),
  }));
  const inputColumn = (name: string): string => dialect.column("e", name, "integer");
  const held = `SELECT w.resource_id FROM due_work w WHERE ${dialect.isAnyOf("w.resource_id", "$2")} ORDER BY w.resource_id ${dialect.forUpdate}`;
  const isUrgentDone = `due_work.urgent_plan = ${inputColumn("urgent_plan")}`;
  return {
    text: `UPDATE due_work SET
        urgent_time = CASE WHEN ${isUrgentDone} THEN NULL ELSE due_work.urgent_time END,
        urgent_cause = CASE WHEN ${isUrgentDone} THEN NULL ELSE due_work.urgent_cause END,
        refresh_time = CASE WHEN due_work.refresh_plan = ${inputColumn("refresh_plan")}
          THEN ${inputColumn("refresh_time")} ELSE due_work.refresh_time END,
        pulsed_time = coalesce(${inputColumn("pulsed_time")}, due_work.pulsed_time),
        holder = NULL, lease_until = NULL
      FROM ${dialect.jsonElements("$1")} e
      WHERE ${dialect.isAnyOfQuery("due_work.resource_id", held)} AND due_work.resource_id = ${dialect.column("e", "resource_id", "text")} AND due_work.holder = ${dialect.column("e", "holder", "text")}`,
    parameters: [stringifyJson(rows), stringifyJson(completions.map(({ resourceId }) => resourceId))],
  };
}

/** Selects one row with `next_time` and `store_time`. */
export function nextDueStatement(kinds: readonly string[], dialect: Dialect): Statement {
  const parameters = new Parameters();
  const firsts = kinds.map(
    (kind) =>
      `SELECT min(next_time) AS next_time FROM due_work WHERE kind = ${parameters.add(kind)} AND next_time IS NOT NULL`,
  );
  return {
    text: `SELECT min(next_time) AS next_time, ${dialect.now} AS store_time FROM (${firsts.join(" UNION ALL ")}) every`,
    parameters: parameters.values,
  };
}

/** Selects resources with planned work, ordered by ID. */
export function plannedStatement(
  query: { readonly kinds: readonly string[]; readonly after: string | undefined; readonly limit: number },
  dialect: Dialect,
): Statement {
  const { kinds, after = "", limit } = query;
  return {
    text: `SELECT ${storedColumns(dialect)}, w.due_time AS planned_time
      FROM resources r LEFT JOIN due_work w ON w.resource_id = r.id
      WHERE r.id > $1 AND ${dialect.isAnyOf("r.kind", "$2")} ORDER BY r.id LIMIT $3`,
    parameters: [after, stringifyJson(kinds), limit],
  };
}

/** Plans work where none is planned. Ignores work of missing resources. */
export function planStatement(work: readonly PlannedWork[], dialect: Dialect): Statement {
  const inputColumn = (name: string, type: "integer" | "text"): string => dialect.column("e", name, type);
  return {
    text: `INSERT INTO due_work (resource_id, kind, urgent_time, urgent_cause, urgent_plan, refresh_time, refresh_plan)
      SELECT r.id, r.kind, ${inputColumn("urgent_time", "integer")}, ${inputColumn("urgent_cause", "text")},
        CASE WHEN ${inputColumn("urgent_time", "integer")} IS NULL THEN 0 ELSE 1 END, ${inputColumn("refresh_time", "integer")}, 1
      FROM ${dialect.jsonElements("$1")} e JOIN resources r ON r.id = ${inputColumn("resource_id", "text")}
      WHERE true ${dialect.keyShare === "" ? "" : `${dialect.keyShare} OF r`}
      ON CONFLICT (resource_id) DO UPDATE SET ${RESCHEDULE_SQL} WHERE due_work.due_time IS NULL`,
    parameters: [listText(work.map(workRow)) ?? "[]"],
  };
}
