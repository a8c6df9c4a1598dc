import { allConditions, DEFAULT_ORDER } from "@levelset/fleet/model";
import { EVERY_TENANT } from "@levelset/fleet/server";
import type { Completion, ListQuery, TenantScope } from "@levelset/fleet/server";
import type { FleetStore } from "@levelset/fleet";
import { parseValidSearch } from "../../../packages/fleet/src/search/table.fixture.ts";
import type { Dialect } from "../../../packages/fleet/src/store/dialect.ts";
import { journalStatement } from "../../../packages/fleet/src/store/journal-sql.ts";
import {
  treeStatement,
  listStatement,
  loadAllStatement,
  loadStatement,
} from "../../../packages/fleet/src/store/resource-sql.ts";
import type { Statement } from "../../../packages/fleet/src/store/sql-row.ts";
import { claimStatement, completeStatement, nextDueStatement } from "../../../packages/fleet/src/store/work-sql.ts";
import { cluster, condition, entryOf, nodePool, tenant } from "./fixtures.ts";

const FLEET = 2_000;
const TENANT = { org: "small" };

/** Fills a store with a fleet in which every query is selective. */
export async function fill(store: FleetStore): Promise<void> {
  const parents = Array.from({ length: FLEET }, (_, index) => {
    const ready = condition("Reconciled", index % 2 === 0 ? "True" : "False", 1_000 + index);
    return cluster(`c${String(index).padStart(5, "0")}`, {
      createdTime: 1_000 + index,
      updatedTime: 1_000 + index,
      createdBy: `user-${index % 500}`,
      labels: { shard: String(index % 500), env: index % 2 === 0 ? "dev" : "prod" },
      spec: { serial: `s${index}`, size: index, region: "here" },
      tenancy: index % 500 === 0 ? TENANT : {},
      conditions: allConditions([ready]),
    });
  });
  for (let from = 0; from < FLEET; from += 500) {
    const created = parents.slice(from, from + 500);
    const children = created.map((owner) => {
      const { createdTime, updatedTime, createdBy } = owner;
      return nodePool(`${owner.id}-p`, owner, { createdTime, updatedTime, createdBy, conditions: [] });
    });
    const work = created.map(({ id, createdTime }) => ({ resourceId: id, kind: "Cluster", refreshTime: createdTime }));
    await store.commit({
      entry: entryOf(cluster("any"), { action: "report" }),
      created: [...created, ...children],
      work,
    });
  }
}

/** Statements with small results, however large the fleet is. */
export function indexedStatements(dialect: Dialect): readonly (readonly [string, Statement])[] {
  const key = { id: "c00007", kind: "Cluster", scope: EVERY_TENANT };
  const scope = EVERY_TENANT;
  const list = (query: Partial<ListQuery>): Statement => {
    const part = { kind: "page", page: 1, size: 20 } as const;
    return listStatement({ scope, kind: "Cluster", order: DEFAULT_ORDER, page: part, ...query }, dialect);
  };
  const found = (text: string, small: TenantScope = scope): readonly [string, Statement] => {
    return [text, list({ search: parseValidSearch(text), scope: small })];
  };
  const after = { kind: "after", position: { values: [2_000, "c01000"], id: "c01000" }, size: 20 } as const;
  return [
    ["load", loadStatement(key, dialect)],
    ["loadAll", loadAllStatement(["c00001", "c00002"], dialect)],
    ["family", treeStatement(key, dialect)],
    ["children", list({ kind: "NodePool", ownerId: "c00007" })],
    ["a part of all", list({ page: after })],
    [
      "a part of one kind by name",
      list({ page: { ...after, position: { values: ["c01000", "c01000"], id: "c01000" } }, order: NAMES }),
    ],
    ["a tenant's", list({ scope: tenant(TENANT) })],
    ["a tenant's part", list({ scope: tenant(TENANT), page: { ...after, position: undefined } })],
    found("name = 'c00010'"),
    found("id in ['c00010', 'c00011']"),
    found("created_by = 'user-7'"),
    found("created_time < '1970-01-01T00:00:01.010Z'"),
    found("updated_time < '1970-01-01T00:00:01.010Z' and labels.env = 'dev'"),
    found("labels.shard = '7'"),
    found("labels.shard = '7' and status.conditions.Ready = 'False'"),
    found("labels.shard = '7' and labels.env = 'prod' and generation = 1"),
    found("status.conditions.Ready.last_updated_time < '1970-01-01T00:00:01.010Z'"),
    found("status.conditions.Ready.observed_generation > 1"),
    ["journal of a resource", journalStatement({ scope, resourceId: "c00007", limit: 20 }, dialect)],
    ["audit", journalStatement({ scope, actions: ["create", "delete"], limit: 20 }, dialect)],
    [
      "claim",
      claimStatement({ holder: "me", now: 1_010, leaseMs: 1, limit: 10, kinds: ["Cluster", "NodePool"] }, dialect),
    ],
    ["complete", completeStatement(["c00001", "c00002"].map(completionOf), dialect)],
    [
      "claim by the database's clock",
      claimStatement({ holder: "me", leaseMs: 1, limit: 10, kinds: ["Cluster", "NodePool"] }, dialect),
    ],
    ["next", nextDueStatement(["Cluster", "NodePool"], dialect)],
  ];
}

/** Statements that are selective on PostgreSQL only: SQLite has no index on spec contents. */
export function specIndexedStatements(dialect: Dialect): readonly (readonly [string, Statement])[] {
  const searches = [
    "spec.serial = 's77'",
    "spec.serial = 's77' and status.conditions.Ready = 'False'",
    "spec.size in [5, 6]",
    "labels.shard = '7' or name = 'c00010' or spec.size = 3",
    "generation = 1 and (labels.shard = '7' or name = 'c00010')",
  ];
  return searches.map((text) => {
    const part = { kind: "page", page: 1, size: 20 } as const;
    return [
      text,
      listStatement({ scope: EVERY_TENANT, search: parseValidSearch(text), order: DEFAULT_ORDER, page: part }, dialect),
    ];
  });
}

function completionOf(resourceId: string): Completion {
  return { resourceId, holder: "me", counters: { urgent: 0, refresh: 1 }, pulsedTime: 1, refreshTime: 2 };
}

const NAMES = [
  { column: "name", direction: "asc" },
  { column: "id", direction: "asc" },
] as const;
