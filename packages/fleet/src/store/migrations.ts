import type { Dialect } from "./dialect.ts";
import { COMMIT_FUNCTION } from "./postgres/commit-function.ts";
import { REPORT_FUNCTION } from "./postgres/report-function.ts";

/**
 * The schema migrations, one per version. A released step never changes. New steps only add, so that the previous
 * version keeps working during a rolling upgrade.
 *
 * Reports must stay cheap, so the columns that they change are not indexed: in `resources` a report changes only
 * `revision` and `conditions`. `types` are the condition types.
 */
export const MIGRATIONS: readonly ((dialect: Dialect) => readonly string[])[] = [
  (dialect) => [
    ...resourceTables(dialect),
    ...RESOURCE_INDEXES,
    ...conditionIndexes(dialect),
    ...(dialect.name === "postgres" ? SPEC_IN_POSTGRES : []),
    ...workTables(dialect),
    ...journalTables(dialect),
    ...feedTables(dialect),
    ...(dialect.name === "postgres" ? [COMMIT_FUNCTION, REPORT_FUNCTION] : []),
  ],
];

/** The schema version that this program requires. */
export const SCHEMA_VERSION: number = MIGRATIONS.length;

/** The schema version before and after a migration; 0 means an empty database. */
export interface MigrationResult {
  readonly from: number;
  readonly to: number;
}

function resourceTables({ name, types: { integer, text, json } }: Dialect): readonly string[] {
  const strict = name === "sqlite" ? " STRICT" : "";
  const keyed = name === "sqlite" ? " STRICT, WITHOUT ROWID" : "";
  const toResource = `${text} NOT NULL REFERENCES resources (id) ON DELETE CASCADE`;
  return [
    `CREATE TABLE resources (
      id ${text} NOT NULL PRIMARY KEY,
      kind ${text} NOT NULL,
      name ${text} NOT NULL,
      href ${text} NOT NULL,
      owner_id ${text} REFERENCES resources (id),
      owner_kind ${text},
      owner_href ${text},
      generation ${integer} NOT NULL,
      created_by ${text} NOT NULL,
      updated_by ${text} NOT NULL,
      deleted_by ${text},
      created_time ${integer} NOT NULL,
      updated_time ${integer} NOT NULL,
      deleted_time ${integer},
      tenancy ${text} NOT NULL,
      labels ${text} NOT NULL,
      links ${text} NOT NULL,
      conditions ${text} NOT NULL,
      types ${text} NOT NULL,
      revision ${integer} NOT NULL,
      spec ${json} NOT NULL,
      spec_exact ${text}
    )${strict}`,
    `CREATE TABLE resource_labels (
      resource_id ${toResource},
      key ${text} NOT NULL,
      value ${text} NOT NULL,
      PRIMARY KEY (resource_id, key)
    )${keyed}`,
    `CREATE TABLE resource_conditions (
      resource_id ${toResource},
      type ${text} NOT NULL,
      status ${text} NOT NULL,
      observed_generation ${integer} NOT NULL,
      last_updated_time ${integer} NOT NULL,
      last_transition_time ${integer} NOT NULL,
      PRIMARY KEY (resource_id, type)
    )${keyed}`,
    `CREATE TABLE resource_references (
      resource_id ${toResource},
      type ${text} NOT NULL,
      ordinal ${integer} NOT NULL,
      target_id ${toResource},
      target_kind ${text} NOT NULL,
      target_href ${text} NOT NULL,
      PRIMARY KEY (resource_id, type, ordinal)
    )${keyed}`,
    `CREATE TABLE adapter_statuses (
      resource_id ${toResource},
      adapter ${text} NOT NULL,
      body ${text} NOT NULL,
      PRIMARY KEY (resource_id, adapter)
    )${strict}`,
  ];
}

const RESOURCE_INDEXES = [
  // A name is free again as soon as deletion of its resource begins.
  `CREATE UNIQUE INDEX resources_root_name ON resources (kind, tenancy, name) WHERE owner_id IS NULL AND deleted_time IS NULL`,
  `CREATE UNIQUE INDEX resources_child_name ON resources (owner_id, kind, name) WHERE owner_id IS NOT NULL AND deleted_time IS NULL`,
  "CREATE INDEX resources_created ON resources (created_time, id)",
  "CREATE INDEX resources_kind_created ON resources (kind, created_time, id)",
  "CREATE INDEX resources_tenant_created ON resources (tenancy, kind, created_time, id)",
  "CREATE INDEX resources_owner_created ON resources (owner_id, created_time, id)",
  "CREATE INDEX resources_name ON resources (name, id)",
  "CREATE INDEX resources_kind_name ON resources (kind, name, id)",
  "CREATE INDEX resources_updated ON resources (updated_time, id)",
  "CREATE INDEX resources_deleted ON resources (deleted_time, id) WHERE deleted_time IS NOT NULL",
  "CREATE INDEX resources_created_by ON resources (created_by, created_time, id)",
  "CREATE INDEX resources_updated_by ON resources (updated_by, created_time, id)",
  "CREATE INDEX resource_labels_value ON resource_labels (key, value, resource_id)",
  "CREATE INDEX resource_conditions_status ON resource_conditions (type, status, resource_id)",
  "CREATE INDEX resource_references_target ON resource_references (target_id, type, resource_id)",
];

/**
 * PostgreSQL writes an updated row to all indexes of the table unless the update is heap-only. Indexes on times and
 * generations cover only the summary conditions; queries on other conditions use the status. SQLite only updates
 * indexes whose columns changed, and would not use a partial index here.
 */
function conditionIndexes({ name }: Dialect): readonly string[] {
  const where = name === "postgres" ? " WHERE type IN ('Reconciled', 'LastKnownReconciled')" : "";
  return ["last_updated_time", "last_transition_time", "observed_generation"].map((column) => {
    return `CREATE INDEX resource_conditions_${column} ON resource_conditions (type, ${column}, resource_id)${where}`;
  });
}

const SPEC_IN_POSTGRES = [
  "CREATE INDEX resources_spec ON resources USING gin (spec jsonb_path_ops)",
  // Free space on each page, so that a report's new row version fits beside the old one as a heap-only tuple (HOT).
  "ALTER TABLE resources SET (fillfactor = 70)",
  "ALTER TABLE adapter_statuses SET (fillfactor = 70)",
  // The frequency of a label value depends on the key.
  "CREATE STATISTICS resource_labels_by_key (mcv) ON key, value FROM resource_labels",
  "CREATE STATISTICS resource_conditions_by_type (mcv) ON type, status FROM resource_conditions",
];

/** When a resource becomes due, for either reason. */
const DUE = "CASE WHEN urgent_time IS NULL OR refresh_time < urgent_time THEN refresh_time ELSE urgent_time END";

function workTables({ name, types: { integer, text } }: Dialect): readonly string[] {
  const strict = name === "sqlite" ? " STRICT" : "";
  return [
    `CREATE TABLE due_work (
      resource_id ${text} NOT NULL PRIMARY KEY REFERENCES resources (id) ON DELETE CASCADE,
      kind ${text} NOT NULL,
      urgent_time ${integer},
      urgent_cause ${text},
      urgent_plan ${integer} NOT NULL,
      refresh_time ${integer},
      refresh_plan ${integer} NOT NULL,
      pulsed_time ${integer},
      holder ${text},
      lease_until ${integer},
      due_time ${integer} GENERATED ALWAYS AS (${DUE}) STORED,
      next_time ${integer} GENERATED ALWAYS AS (CASE WHEN lease_until > (${DUE}) THEN lease_until ELSE (${DUE}) END) STORED
    )${strict}`,
    "CREATE INDEX due_work_next ON due_work (kind, next_time) WHERE next_time IS NOT NULL",
    `CREATE TABLE refresh_ttls (
      kind ${text} NOT NULL PRIMARY KEY,
      ready_ms ${integer} NOT NULL,
      not_ready_ms ${integer} NOT NULL
    )${strict}`,
  ];
}

function journalTables({ name, types: { integer, text } }: Dialect): readonly string[] {
  const strict = name === "sqlite" ? " STRICT" : "";
  return [
    `CREATE TABLE journal (
      id ${text} NOT NULL PRIMARY KEY,
      time ${integer} NOT NULL,
      action ${text} NOT NULL,
      resource_id ${text} NOT NULL,
      kind ${text} NOT NULL,
      name ${text} NOT NULL,
      tenancy ${text} NOT NULL,
      by_whom ${text} NOT NULL,
      request_id ${text} NOT NULL,
      generation ${integer} NOT NULL,
      adapter ${text},
      details ${text}
    )${strict}`,
    "CREATE INDEX journal_resource ON journal (resource_id, id)",
    "CREATE INDEX journal_audit ON journal (id) WHERE action <> 'report'",
    "CREATE INDEX journal_audit_tenant ON journal (tenancy, id) WHERE action <> 'report'",
    `CREATE TABLE answers (
      key ${text} NOT NULL PRIMARY KEY,
      request ${text} NOT NULL,
      time ${integer} NOT NULL,
      status ${integer} NOT NULL,
      headers ${text} NOT NULL,
      body ${text} NOT NULL
    )${strict}`,
    "CREATE INDEX answers_time ON answers (time)",
    // The time up to which excess reports have been trimmed.
    `CREATE TABLE trimmed (
      id ${integer} NOT NULL PRIMARY KEY CHECK (id = 1),
      reports_time ${integer} NOT NULL
    )${strict}`,
    "INSERT INTO trimmed (id, reports_time) VALUES (1, 0)",
  ];
}

/**
 * The position of each resource in commit order, including removed resources. SQLite has a single writer, so a number
 * suffices. In PostgreSQL a higher number may commit first: the transaction ID precedes the number, and readers stop at
 * the oldest open transaction.
 */
function feedTables({ name, types: { integer, text } }: Dialect): readonly string[] {
  const changes = (position: string): string => `CREATE TABLE changes (
    resource_id ${text} NOT NULL PRIMARY KEY,
    ${position},
    kind ${text} NOT NULL,
    tenancy ${text} NOT NULL,
    removed_time ${integer},
    gone ${text}
  )`;
  const removed = "CREATE INDEX changes_removed ON changes (removed_time) WHERE removed_time IS NOT NULL";
  if (name === "sqlite") {
    return [
      `${changes("position INTEGER NOT NULL")} STRICT`,
      "CREATE INDEX changes_position ON changes (position)",
      removed,
      "CREATE TABLE feed (id INTEGER PRIMARY KEY CHECK (id = 1), position INTEGER NOT NULL, expired INTEGER NOT NULL) STRICT",
      "INSERT INTO feed (id, position, expired) VALUES (1, 0, 0)",
    ];
  }
  return [
    changes("transaction XID8 NOT NULL, number BIGINT NOT NULL"),
    "CREATE INDEX changes_position ON changes (transaction, number)",
    removed,
    "CREATE SEQUENCE change_numbers",
    "CREATE TABLE feed (id BIGINT PRIMARY KEY CHECK (id = 1), expired_transaction XID8 NOT NULL, expired_number BIGINT NOT NULL)",
    "INSERT INTO feed (id, expired_transaction, expired_number) VALUES (1, '0', 0)",
  ];
}
