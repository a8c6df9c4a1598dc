import { CHANGE_PARTS } from "../change-rows.ts";
import type { ChangeRows } from "../change-rows.ts";
import type { SqlValue } from "../sql-row.ts";
import { RESCHEDULE_SQL } from "../work-sql.ts";

/** The function's parameters. It determines the feed entries itself. */
const PARTS = CHANGE_PARTS.filter((part) => part !== "shown");

/** A single statement that commits a change atomically. */
export const COMMIT_SQL: string = `SELECT commit_change_1(${PARTS.map((_, index) => `$${index + 1}::json`).join(", ")})`;

/** Returns the parameters of the statement. */
export function commitParameters(rows: ChangeRows): readonly SqlValue[] {
  return PARTS.map((part) => rows[part]);
}

/** SQLSTATE of a revision conflict. */
const CONFLICT = "LS001";

/** The columns of a journal entry. */
export const JOURNAL_COLUMNS =
  "id, time, action, resource_id, kind, name, tenancy, by_whom, request_id, generation, adapter, details";
/** The indexed columns of a condition. */
export const CONDITION_COLUMNS: readonly string[] = [
  "status",
  "observed_generation",
  "last_updated_time",
  "last_transition_time",
];
const CREATED =
  "id, kind, name, href, owner_id, owner_kind, owner_href, generation, created_by, updated_by, deleted_by, created_time, updated_time, deleted_time, tenancy, labels, links, conditions, types, spec_exact";
const CHANGING = ["generation", "updated_by", "updated_time", "deleted_by", "deleted_time", "conditions", "types"];
const UPDATED = ["id", "revision", "is_declared", "spec", "spec_exact", "labels", "links", ...CHANGING].join(", ");
const INTEGERS = [
  "time",
  "generation",
  "revision",
  "created_time",
  "updated_time",
  "deleted_time",
  "urgent_time",
  "refresh_time",
  "ordinal",
  "is_declared",
  ...CONDITION_COLUMNS.slice(1),
];

/** Returns columns with types, for a record definition. */
export function typedColumns(names: string): string {
  return names
    .split(", ")
    .map((name) => `${name} ${INTEGERS.includes(name) ? "bigint" : "text"}`)
    .join(", ");
}

/** Loops over the elements of a list. */
function each(part: string, names: string, body: string): string {
  return `IF given_${part} IS NOT NULL THEN
    FOR item IN SELECT * FROM json_to_recordset(given_${part}) AS e (${typedColumns(names)}) LOOP ${body}
    END LOOP;
  END IF;`;
}

/** Aborts a commit with a conflict. */
export const RAISE_CONFLICT: string = `RAISE EXCEPTION 'the revision is another one' USING ERRCODE = '${CONFLICT}'`;
const UNLESS_FOUND = `IF NOT FOUND THEN
        ${RAISE_CONFLICT};
      END IF;`;
/** Moves a resource to the end of the feed. */
export const FEED_POSITION_SQL = "transaction = pg_current_xact_id(), number = nextval('change_numbers')";

const UPDATE_EACH = `
      UPDATE resources r SET revision = r.revision + 1, ${CHANGING.map((name) => `${name} = item.${name}`).join(", ")}
        FROM resources o WHERE r.id = item.id AND r.revision = item.revision AND o.id = item.id
        RETURNING o.types INTO types_before;
      ${UNLESS_FOUND}
      IF item.is_declared = 1 THEN
        UPDATE resources SET spec = item.spec::jsonb, spec_exact = item.spec_exact, labels = item.labels, links = item.links
          WHERE id = item.id;
        DELETE FROM resource_labels WHERE resource_id = item.id;
        DELETE FROM resource_references WHERE resource_id = item.id;
      END IF;
      IF types_before <> item.types THEN
        DELETE FROM resource_conditions
          WHERE resource_id = item.id AND type <> ALL (string_to_array(item.types, E'\\n'));
      END IF;
      UPDATE changes SET ${FEED_POSITION_SQL} WHERE resource_id = item.id;`;

/**
 * Removing a resource cascades to its rows in other tables. References to it are dropped, which changes the referring
 * resources.
 */
const REMOVE_EACH = `
      referring := ARRAY(SELECT DISTINCT resource_id FROM resource_references WHERE target_id = item.id
        AND resource_id NOT IN (SELECT e.id FROM json_to_recordset(given_removed) AS e (id text)));
      DELETE FROM resources WHERE id = item.id AND revision = item.revision;
      ${UNLESS_FOUND}
      UPDATE changes SET ${FEED_POSITION_SQL}, removed_time = item.time, gone = item.gone WHERE resource_id = item.id;
      UPDATE changes SET ${FEED_POSITION_SQL} WHERE resource_id = ANY (referring);
      UPDATE resources r SET revision = r.revision + 1, links = coalesce((
          SELECT json_object_agg(kept.type, kept.targets)::text FROM (
            SELECT x.type, json_agg(json_build_object('id', x.target_id, 'kind', x.target_kind, 'href', x.target_href)
              ORDER BY x.ordinal) AS targets
            FROM resource_references x WHERE x.resource_id = r.id GROUP BY x.type) kept), '{}')
        WHERE r.id = ANY (referring);`;

/** Upserts conditions and statuses, for any number of reports. */
export const STATUS_UPSERT_SQL: string = `IF given_conditions IS NOT NULL THEN
    -- A row that is as it was must not even be locked. The query in brackets is no join to be planned otherwise.
    INSERT INTO resource_conditions (resource_id, type, ${CONDITION_COLUMNS.join(", ")})
      SELECT * FROM json_to_recordset(given_conditions) AS e (${typedColumns(`resource_id, type, ${CONDITION_COLUMNS.join(", ")}`)})
      WHERE (
        SELECT ${CONDITION_COLUMNS.map((name) => `x.${name} = e.${name}`).join(" AND ")} FROM resource_conditions x
        WHERE x.resource_id = e.resource_id AND x.type = e.type) IS NOT TRUE
      ON CONFLICT (resource_id, type) DO UPDATE SET ${CONDITION_COLUMNS.map((name) => `${name} = excluded.${name}`).join(", ")};
  END IF;
  IF given_statuses IS NOT NULL THEN
    INSERT INTO adapter_statuses (resource_id, adapter, body)
      SELECT * FROM json_to_recordset(given_statuses) AS e (${typedColumns("resource_id, adapter, body")})
      ON CONFLICT (resource_id, adapter) DO UPDATE SET body = excluded.body;
  END IF;`;

/** Upserts planned work. */
export const WORK_UPSERT_SQL: string = `IF given_work IS NOT NULL THEN
    INSERT INTO due_work (resource_id, kind, urgent_time, urgent_cause, urgent_plan, refresh_time, refresh_plan)
      SELECT e.resource_id, e.kind, e.urgent_time, e.urgent_cause, (e.urgent_time IS NOT NULL)::int, e.refresh_time, 1
      FROM json_to_recordset(given_work)
      AS e (${typedColumns("resource_id, kind, urgent_time, urgent_cause, refresh_time")})
      ON CONFLICT (resource_id) DO UPDATE SET ${RESCHEDULE_SQL};
  END IF;`;

/**
 * The body of the statement. The journal insert comes first: a repeated change blocks there until the first attempt
 * ends, and is recognised by its ID. Resources are locked in ID order to avoid deadlocks. Rows are found one by one by
 * key: cached plans must not depend on the size of a table at planning time.
 */
export const COMMIT_FUNCTION: string = `CREATE FUNCTION commit_change_1 (${PARTS.map((part) => `given_${part} json`).join(", ")})
RETURNS void LANGUAGE plpgsql AS $body$
#variable_conflict use_column
DECLARE
  item record;
  referring text[];
  types_before text;
BEGIN
  INSERT INTO journal (${JOURNAL_COLUMNS}) SELECT ${JOURNAL_COLUMNS} FROM json_to_record(given_entry) AS e (${typedColumns(JOURNAL_COLUMNS)});
  IF json_array_length(given_expected) > 1 THEN
    FOR item IN SELECT e.id FROM json_to_recordset(given_expected) AS e (id text) ORDER BY e.id COLLATE "C" LOOP
      PERFORM 1 FROM resources WHERE id = item.id FOR NO KEY UPDATE;
    END LOOP;
  END IF;
  ${each(
    "touched",
    "id, revision",
    `
      UPDATE resources SET revision = revision + 1 WHERE id = item.id AND revision = item.revision;
      ${UNLESS_FOUND}`,
  )}
  ${each("updated", UPDATED, UPDATE_EACH)}
  IF given_created IS NOT NULL THEN
    INSERT INTO resources (${CREATED}, spec, revision)
      SELECT ${CREATED}, e.spec::jsonb, 1 FROM json_to_recordset(given_created) AS e (${typedColumns(`${CREATED}, spec`)});
    INSERT INTO changes (resource_id, transaction, number, kind, tenancy)
      SELECT e.id, pg_current_xact_id(), nextval('change_numbers'), e.kind, e.tenancy
      FROM json_to_recordset(given_created) AS e (${typedColumns("id, kind, tenancy")})
      ON CONFLICT (resource_id) DO UPDATE
      SET transaction = excluded.transaction, number = excluded.number, removed_time = NULL, gone = NULL;
  END IF;
  IF given_labels IS NOT NULL THEN
    INSERT INTO resource_labels (resource_id, key, value)
      SELECT * FROM json_to_recordset(given_labels) AS e (resource_id text, key text, value text);
  END IF;
  IF given_links IS NOT NULL THEN
    INSERT INTO resource_references (resource_id, type, ordinal, target_id, target_kind, target_href)
      SELECT * FROM json_to_recordset(given_links) AS e (${typedColumns("resource_id, type, ordinal, target_id, kind, href")});
  END IF;
  ${STATUS_UPSERT_SQL}
  ${each("removed", "id, revision, time, gone", REMOVE_EACH)}
  ${WORK_UPSERT_SQL}
  IF given_answer IS NOT NULL THEN
    INSERT INTO answers (key, request, time, status, headers, body)
      SELECT * FROM json_to_record(given_answer)
      AS e (key text, request text, time bigint, status bigint, headers text, body text);
  END IF;
END $body$`;
