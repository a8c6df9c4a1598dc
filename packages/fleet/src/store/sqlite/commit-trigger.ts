import { CHANGE_PARTS } from "../change-rows.ts";
import type { ChangeRows } from "../change-rows.ts";
import type { SqlValue } from "../sql-row.ts";
import { RESCHEDULE_SQL } from "../work-sql.ts";

/** A single statement that commits a change atomically. */
export const COMMIT_SQL: string = `INSERT INTO change_set (${CHANGE_PARTS.join(", ")}) VALUES (${CHANGE_PARTS.map((_, index) => `$${index + 1}`).join(", ")})`;

/** Returns the parameters of the statement. */
export function commitParameters(rows: ChangeRows): readonly SqlValue[] {
  return CHANGE_PARTS.map((part) => rows[part]);
}

/** Fails with SQLITE_CONSTRAINT_TRIGGER. The triggers raise no other error, so the code stands for a conflict. */
export const RAISE_CONFLICT = "SELECT RAISE(ABORT, 'revision conflict')";

const ENTRY = "id, time, action, resource_id, kind, name, tenancy, by_whom, request_id, generation, adapter, details";

/** Must run first: a repeated change is recognised by its ID, not by the revisions that it incremented itself. */
export const INSERT_JOURNAL_SQL: string = `INSERT INTO journal (${ENTRY}) VALUES (${jsonMembers("NEW.entry", ...ENTRY.split(", "))})`;

/**
 * A temporary view with a trigger that applies changes. It belongs to the connection and so to this version of the
 * program.
 */
export const COMMIT_SETUP: readonly string[] = [
  `CREATE TEMP VIEW change_set AS SELECT ${CHANGE_PARTS.map((part) => `NULL AS ${part}`).join(", ")}`,
  `CREATE TEMP TRIGGER commit_change INSTEAD OF INSERT ON change_set BEGIN
    ${[...journal(), ...resources(), ...details(), ...removal(), ...feed(), ...workStatements()].map((sql) => `${sql};`).join("\n    ")}
  END`,
];

/** Selects members of a JSON object. */
export function jsonMembers(value: string, ...names: readonly string[]): string {
  return names.map((name) => `${value} ->> '${name}'`).join(", ");
}

function journal(): readonly string[] {
  return [
    INSERT_JOURNAL_SQL,
    `${RAISE_CONFLICT} WHERE EXISTS (
      SELECT 1 FROM json_each(NEW.expected) e LEFT JOIN resources r ON r.id = e.value ->> 'id'
      WHERE r.revision IS NOT e.value ->> 'revision')`,
    `INSERT INTO answers (key, request, time, status, headers, body)
      SELECT ${jsonMembers("NEW.answer", "key", "request", "time", "status", "headers", "body")} WHERE NEW.answer IS NOT NULL`,
  ];
}

function resources(): readonly string[] {
  const created =
    "id, kind, name, href, owner_id, owner_kind, owner_href, generation, created_by, updated_by, deleted_by, created_time, updated_time, deleted_time, tenancy, labels, links, conditions, types, spec, spec_exact";
  const changing = ["generation", "updated_by", "updated_time", "deleted_by", "deleted_time", "conditions", "types"];
  const declared = ["spec", "spec_exact", "labels", "links"];
  const set = [
    ...changing.map((name) => `${name} = e.value ->> '${name}'`),
    ...declared.map((name) => `${name} = iif(e.value ->> 'is_declared', e.value ->> '${name}', resources.${name})`),
  ].join(", ");
  return [
    "UPDATE resources SET revision = revision + 1 WHERE id IN (SELECT value ->> 'id' FROM json_each(NEW.touched))",
    `UPDATE resources SET revision = revision + 1, ${set}
      FROM json_each(NEW.updated) e WHERE resources.id = e.value ->> 'id'`,
    `INSERT INTO resources (${created}, revision)
      SELECT ${jsonMembers("value", ...created.split(", "))}, 1 FROM json_each(NEW.created)`,
  ];
}

function details(): readonly string[] {
  const declared = "SELECT value ->> 'id' FROM json_each(NEW.updated) WHERE value ->> 'is_declared' = 1";
  return [
    `DELETE FROM resource_labels WHERE resource_id IN (${declared})`,
    `INSERT INTO resource_labels (resource_id, key, value)
      SELECT ${jsonMembers("value", "resource_id", "key", "value")} FROM json_each(NEW.labels)`,
    `DELETE FROM resource_references WHERE resource_id IN (${declared})`,
    `INSERT INTO resource_references (resource_id, type, ordinal, target_id, target_kind, target_href)
      SELECT ${jsonMembers("value", "resource_id", "type", "ordinal", "target_id", "kind", "href")} FROM json_each(NEW.links)`,
    `DELETE FROM resource_conditions
      WHERE resource_id IN (SELECT value ->> 'id' FROM json_each(NEW.updated)) AND NOT EXISTS (
        SELECT 1 FROM json_each(NEW.updated) e WHERE e.value ->> 'id' = resource_conditions.resource_id
        AND instr(char(10) || (e.value ->> 'types') || char(10), char(10) || resource_conditions.type || char(10)))`,
    ...statusStatements(),
  ];
}

/** Upserts conditions and statuses. */
export function statusStatements(): readonly string[] {
  const condition = ["status", "observed_generation", "last_updated_time", "last_transition_time"];
  return [
    `INSERT INTO resource_conditions (resource_id, type, ${condition.join(", ")})
      SELECT ${jsonMembers("value", "resource_id", "type", ...condition)} FROM json_each(NEW.conditions) WHERE true
      ON CONFLICT (resource_id, type) DO UPDATE SET ${condition.map((name) => `${name} = excluded.${name}`).join(", ")}
      WHERE ${condition.map((name) => `resource_conditions.${name} <> excluded.${name}`).join(" OR ")}`,
    `INSERT INTO adapter_statuses (resource_id, adapter, body)
      SELECT ${jsonMembers("value", "resource_id", "adapter", "body")} FROM json_each(NEW.statuses) WHERE true
      ON CONFLICT (resource_id, adapter) DO UPDATE SET body = excluded.body`,
  ];
}

/**
 * Removing a resource cascades to its rows in other tables. References to it are dropped, which changes the referring
 * resources.
 */
function removal(): readonly string[] {
  const removed = "SELECT value ->> 'id' FROM json_each(NEW.removed)";
  const referring = `SELECT x.resource_id FROM resource_references x WHERE x.target_id IN (${removed})`;
  const position = "(SELECT position FROM feed)";
  return [
    `INSERT INTO changes (resource_id, position, kind, tenancy)
      SELECT id, ${position} + row_number() OVER (ORDER BY id), kind, tenancy FROM resources
      WHERE NEW.removed IS NOT NULL AND id IN (${referring}) AND id NOT IN (${removed})
      ON CONFLICT (resource_id) DO UPDATE SET position = excluded.position`,
    `UPDATE resources SET revision = revision + 1, links = (
        SELECT json_group_object(type, json(targets)) FROM (
          SELECT x.type, json_group_array(
            json_object('id', x.target_id, 'kind', x.target_kind, 'href', x.target_href) ORDER BY x.ordinal) AS targets
          FROM resource_references x
          WHERE x.resource_id = resources.id AND x.target_id NOT IN (${removed}) GROUP BY x.type))
      WHERE NEW.removed IS NOT NULL AND id IN (${referring}) AND id NOT IN (${removed})`,
    `UPDATE feed SET position = (SELECT max(position) FROM changes) WHERE NEW.removed IS NOT NULL
      AND (SELECT max(position) FROM changes) > position`,
    `DELETE FROM resources WHERE id IN (${removed})`,
    `INSERT INTO changes (resource_id, position, kind, tenancy, removed_time, gone)
      SELECT ${jsonMembers("value", "id")}, ${position} + 1 + key, ${jsonMembers("value", "kind", "tenancy", "time", "gone")}
      FROM json_each(NEW.removed) WHERE true
      ON CONFLICT (resource_id) DO UPDATE
      SET position = excluded.position, removed_time = excluded.removed_time, gone = excluded.gone`,
    "UPDATE feed SET position = position + json_array_length(NEW.removed) WHERE NEW.removed IS NOT NULL",
  ];
}

function feed(): readonly string[] {
  return [
    `INSERT INTO changes (resource_id, position, kind, tenancy)
      SELECT ${jsonMembers("value", "id")}, (SELECT position FROM feed) + 1 + key, ${jsonMembers("value", "kind", "tenancy")}
      FROM json_each(NEW.shown) WHERE true
      ON CONFLICT (resource_id) DO UPDATE SET position = excluded.position, removed_time = NULL, gone = NULL`,
    "UPDATE feed SET position = position + json_array_length(NEW.shown) WHERE NEW.shown IS NOT NULL",
  ];
}

/** Upserts planned work. */
export function workStatements(): readonly string[] {
  return [
    `INSERT INTO due_work (resource_id, kind, urgent_time, urgent_cause, urgent_plan, refresh_time, refresh_plan)
      SELECT ${jsonMembers("value", "resource_id", "kind", "urgent_time", "urgent_cause")},
        value ->> 'urgent_time' IS NOT NULL, ${jsonMembers("value", "refresh_time")}, 1
      FROM json_each(NEW.work) WHERE true
      ON CONFLICT (resource_id) DO UPDATE SET ${RESCHEDULE_SQL}`,
  ];
}
