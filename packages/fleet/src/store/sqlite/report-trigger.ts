import type { ChangeRows } from "../change-rows.ts";
import type { SqlValue } from "../sql-row.ts";
import { INSERT_JOURNAL_SQL, jsonMembers, RAISE_CONFLICT, statusStatements, workStatements } from "./commit-trigger.ts";

/** The parts of a status-only change. */
const PARTS = ["entry", "expected", "updated", "conditions", "statuses", "work"] as const;

/** A single statement that commits it atomically. */
export const REPORT_SQL: string = `INSERT INTO report (${PARTS.join(", ")}) VALUES (${PARTS.map((_, index) => `$${index + 1}`).join(", ")})`;

/**
 * Returns the parameters of the statement. The change affects at most one resource, so two of its parts are single
 * objects.
 */
export function reportParameters(rows: ChangeRows): readonly SqlValue[] {
  const only = (list: string | null): string | null => list?.slice(1, -1) ?? null;
  return [rows.entry, only(rows.expected), only(rows.updated), rows.conditions, rows.statuses, rows.work];
}

/**
 * A temporary view that applies status-only changes. It does the same as the view for any change but skips empty lists.
 * Most changes are reports, and this halves the cost of a report.
 */
export const REPORT_SETUP: readonly string[] = [
  `CREATE TEMP VIEW report AS SELECT ${PARTS.map((part) => `NULL AS ${part}`).join(", ")}`,
  `CREATE TEMP TRIGGER commit_report INSTEAD OF INSERT ON report BEGIN
    ${[INSERT_JOURNAL_SQL, ...resource(), ...statusStatements(), ...workStatements()].map((sql) => `${sql};`).join("\n    ")}
  END`,
];

function resource(): readonly string[] {
  const [id, revision] = [jsonMembers("NEW.expected", "id"), jsonMembers("NEW.expected", "revision")];
  return [
    `UPDATE resources SET revision = revision + 1, conditions = coalesce(${jsonMembers("NEW.updated", "conditions")}, conditions)
      WHERE id = ${id} AND revision = ${revision}`,
    `${RAISE_CONFLICT} WHERE NEW.expected IS NOT NULL AND changes() = 0`,
    `UPDATE changes SET position = (SELECT position FROM feed) + 1 WHERE resource_id = ${jsonMembers("NEW.updated", "id")}`,
    "UPDATE feed SET position = position + 1 WHERE NEW.updated IS NOT NULL",
  ];
}
