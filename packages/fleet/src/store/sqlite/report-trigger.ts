import type { ChangeRows } from "../change-rows.ts";
import type { SqlValue } from "../sql-row.ts";
import { CONFLICT, INTO_JOURNAL, members, statuses, work } from "./commit-trigger.ts";

/** What a change that is about status alone is made of. */
const PARTS = ["entry", "expected", "updated", "conditions", "statuses", "work"] as const;

/** One statement that commits it, or fails and changes nothing. */
export const REPORT_SQL: string = `INSERT INTO report (${PARTS.join(", ")}) VALUES (${PARTS.map((_, index) => `$${index + 1}`).join(", ")})`;

/** The parameters of the statement. It is about one resource at most, so two of its parts are no lists. */
export function reportParameters(rows: ChangeRows): readonly SqlValue[] {
  const only = (list: string | null): string | null => list?.slice(1, -1) ?? null;
  return [rows.entry, only(rows.expected), only(rows.updated), rows.conditions, rows.statuses, rows.work];
}

/**
 * A view that takes such changes. It does what the one for any change does, without looking at lists that are empty: most changes are reports, and this halves
 * what they cost.
 */
export const REPORT_SETUP: readonly string[] = [
  `CREATE TEMP VIEW report AS SELECT ${PARTS.map((part) => `NULL AS ${part}`).join(", ")}`,
  `CREATE TEMP TRIGGER commit_report INSTEAD OF INSERT ON report BEGIN
    ${[INTO_JOURNAL, ...resource(), ...statuses(), ...work()].map((sql) => `${sql};`).join("\n    ")}
  END`,
];

function resource(): readonly string[] {
  const [id, revision] = [members("NEW.expected", "id"), members("NEW.expected", "revision")];
  return [
    `UPDATE resources SET revision = revision + 1, conditions = coalesce(${members("NEW.updated", "conditions")}, conditions)
      WHERE id = ${id} AND revision = ${revision}`,
    `SELECT RAISE(ABORT, '${CONFLICT}') WHERE NEW.expected IS NOT NULL AND changes() = 0`,
    `UPDATE changes SET position = (SELECT position FROM feed) + 1 WHERE resource_id = ${members("NEW.updated", "id")}`,
    "UPDATE feed SET position = position + 1 WHERE NEW.updated IS NOT NULL",
  ];
}
