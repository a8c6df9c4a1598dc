import type { ChangeRows } from "../change-rows.ts";
import type { SqlValue } from "../sql-row.ts";
import { columns, ENTRY, RAISE_CONFLICT, SHOWN, STATUS_PARTS, WORK_PART } from "./commit-function.ts";

/** What changes that are about status alone are made of. */
const PARTS = ["entry", "expected", "touched", "updated", "shown", "conditions", "statuses", "work"] as const;

/** One statement that commits several of them, or fails and commits none. */
export const BATCH_SQL: string = `SELECT commit_reports_1(${PARTS.map((_, index) => `$${index + 1}::json`).join(", ")})`;

/** The parameters of the statement. */
export function batchParameters(batch: readonly ChangeRows[]): readonly SqlValue[] {
  return PARTS.map((part) => {
    // All but the entry are lists already.
    const texts = batch
      .flatMap((rows) => rows[part] ?? [])
      .map((text) => (part === "entry" ? text : text.slice(1, -1)));
    return texts.length === 0 ? null : `[${texts.join(",")}]`;
  });
}

/**
 * What the statement does: what the function for any change does, for many rows at a time. That is several times cheaper, since the parts of a report are small and
 * each statement costs something by itself. Without the two joins, rows are found by their keys and locked in the order in which they come.
 */
export const REPORT_FUNCTION: string = `CREATE FUNCTION commit_reports_1 (${PARTS.map((part) => `given_${part} json`).join(", ")})
RETURNS void LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off AS $body$
#variable_conflict use_column
DECLARE
  touched_rows bigint := 0;
  updated_rows bigint := 0;
BEGIN
  INSERT INTO journal (${ENTRY}) SELECT ${ENTRY} FROM json_to_recordset(given_entry) AS e (${columns(ENTRY)});
  IF given_touched IS NOT NULL THEN
    UPDATE resources r SET revision = r.revision + 1
      FROM json_to_recordset(given_touched) AS e (id text, revision bigint)
      WHERE r.id = e.id AND r.revision = e.revision;
    GET DIAGNOSTICS touched_rows = ROW_COUNT;
  END IF;
  IF given_updated IS NOT NULL THEN
    UPDATE resources r SET revision = r.revision + 1, conditions = e.conditions
      FROM json_to_recordset(given_updated) AS e (id text, revision bigint, conditions text)
      WHERE r.id = e.id AND r.revision = e.revision;
    GET DIAGNOSTICS updated_rows = ROW_COUNT;
    UPDATE changes c SET ${SHOWN} FROM json_to_recordset(given_shown) AS e (id text) WHERE c.resource_id = e.id;
  END IF;
  -- Two changes of one resource are two rows, of which one is not found.
  IF touched_rows + updated_rows <> coalesce(json_array_length(given_expected), 0) THEN
    ${RAISE_CONFLICT};
  END IF;
  ${STATUS_PARTS}
  ${WORK_PART}
END $body$`;
