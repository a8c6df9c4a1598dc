import type { ChangeRows } from "../change-rows.ts";
import type { SqlValue } from "../sql-row.ts";
import {
  typedColumns,
  JOURNAL_COLUMNS,
  RAISE_CONFLICT,
  FEED_POSITION_SQL,
  STATUS_UPSERT_SQL,
  WORK_UPSERT_SQL,
} from "./commit-function.ts";

/** The parts of status-only changes. */
const PARTS = ["entry", "expected", "touched", "updated", "shown", "conditions", "statuses", "work"] as const;

/** A single statement that commits several of them atomically. */
export const BATCH_SQL: string = `SELECT commit_reports_1(${PARTS.map((_, index) => `$${index + 1}::json`).join(", ")})`;

/** Returns the parameters of the statement. */
export function batchParameters(batch: readonly ChangeRows[]): readonly SqlValue[] {
  return PARTS.map((part) => {
    // All parts except the entry are lists already.
    const texts = batch
      .flatMap((rows) => rows[part] ?? [])
      .map((text) => (part === "entry" ? text : text.slice(1, -1)));
    return texts.length === 0 ? null : `[${texts.join(",")}]`;
  });
}

/**
 * The body of the statement: does the same as the function for a single change, for many rows at a time. This is
 * several times cheaper, because the parts of a report are small and each statement has a fixed cost. With hash and
 * merge joins disabled, rows are found by key and locked in order.
 */
export const REPORT_FUNCTION: string = `CREATE FUNCTION commit_reports_1 (${PARTS.map((part) => `given_${part} json`).join(", ")})
RETURNS void LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off AS $body$
#variable_conflict use_column
DECLARE
  touched_rows bigint := 0;
  updated_rows bigint := 0;
BEGIN
  INSERT INTO journal (${JOURNAL_COLUMNS}) SELECT ${JOURNAL_COLUMNS} FROM json_to_recordset(given_entry) AS e (${typedColumns(JOURNAL_COLUMNS)});
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
    UPDATE changes c SET ${FEED_POSITION_SQL} FROM json_to_recordset(given_shown) AS e (id text) WHERE c.resource_id = e.id;
  END IF;
  -- Two changes of one resource are two rows, of which one is not found.
  IF touched_rows + updated_rows <> coalesce(json_array_length(given_expected), 0) THEN
    ${RAISE_CONFLICT};
  END IF;
  ${STATUS_UPSERT_SQL}
  ${WORK_UPSERT_SQL}
END $body$`;
