import { parseJson } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import type { RefreshTtl, Resource } from "../resource/index.ts";
import { changeRows } from "./change-rows.ts";
import type { ChangeSet, CommitResult } from "./change-set.ts";
import type { FeedChange, FeedPage, FeedPosition, FeedQuery } from "./change-feed.ts";
import type { Claim, ClaimRequest, Completion, PlannedWork, WorkStatus } from "./due-work.ts";
import { DatabaseTime } from "./database-time.ts";
import type { SqlEngine } from "./sql-engine.ts";
import {
  journalEntryFromRow,
  journalStatement,
  reportedStatement,
  trimResponsesStatement,
  trimAuditStatement,
  trimReportsStatement,
} from "./journal-sql.ts";
import type { JournalEntry, JournalQuery } from "./journal.ts";
import type { IdempotentResponse } from "./idempotent-response.ts";
import type { ListResult, ListQuery } from "./list-query.ts";
import { treeStatement, listResultOf, listStatement, loadAllStatement, loadStatement } from "./resource-sql.ts";
import { resourceOf, storedResourceOf } from "./resource-row.ts";
import { integerIn, optionalInteger, optionalText, textIn } from "./sql-row.ts";
import type { SqlRow, SqlValue, Statement } from "./sql-row.ts";
import type { FleetStore, KindCount, StoredTree, StoredPlan, TrimRequest } from "./fleet-store.ts";
import type { ResourceKey, StoredResource } from "./stored-resource.ts";
import {
  claimOf,
  claimStatement,
  completeStatement,
  nextDueStatement,
  plannedStatement,
  planStatement,
  SELECT_WORK_SQL,
  workStatusOf,
} from "./work-sql.ts";

/** A store on a SQL database. Contains the common part; each database has its own {@link SqlEngine}. */
export class SqlStore implements FleetStore {
  readonly kind: "sqlite" | "postgres";
  readonly hasClock: boolean;
  readonly #engine: SqlEngine;
  readonly #clock: Clock;
  readonly #time: DatabaseTime;

  constructor(engine: SqlEngine, { clock }: { readonly clock: Clock }) {
    this.kind = engine.dialect.name;
    // SQLite runs in this process and uses the machine's clock.
    this.hasClock = engine.dialect.name === "postgres";
    this.#engine = engine;
    this.#clock = clock;
    this.#time = new DatabaseTime(clock);
  }

  now(clock: Clock): number {
    return (this.hasClock ? this.#time.now : undefined) ?? clock.now();
  }

  get statements(): number {
    return this.#engine.statements;
  }

  async load(key: ResourceKey): Promise<StoredResource | undefined> {
    const [row] = await this.#engine.rows(loadStatement(key, this.#engine.dialect));
    return row === undefined ? undefined : storedResourceOf(row);
  }

  async loadAll(ids: readonly string[]): Promise<readonly StoredResource[]> {
    if (ids.length === 0) return [];
    return (await this.#engine.rows(loadAllStatement(ids, this.#engine.dialect))).map(storedResourceOf);
  }

  async loadTree(key: ResourceKey): Promise<StoredTree | undefined> {
    const rows = await this.#engine.rows(treeStatement(key, this.#engine.dialect));
    if (rows.length === 0) return undefined;
    const referring = rows.map(referencersIn);
    // A new reference increments the revision of its target, so a commit between these two reads causes a conflict.
    const known = new Map((await this.loadAll(referring.flat())).map(({ resource }) => [resource.id, resource]));
    const members = rows.map((row, index) => {
      const referencers = (referring[index] ?? []).flatMap((id) => known.get(id) ?? []);
      return { ...storedResourceOf(row), referencers };
    });
    return { members: parentsFirst(members) };
  }

  async list(query: ListQuery): Promise<ListResult> {
    return listResultOf(query, await this.#engine.rows(listStatement(query, this.#engine.dialect)));
  }

  async journal(query: JournalQuery): Promise<readonly JournalEntry[]> {
    return (await this.#engine.rows(journalStatement(query, this.#engine.dialect))).map(journalEntryFromRow);
  }

  async idempotentResponse(key: string): Promise<IdempotentResponse | undefined> {
    const [row] = await this.#rows("SELECT * FROM answers WHERE key = $1", key);
    return row === undefined ? undefined : responseOf(row);
  }

  commit(change: ChangeSet): Promise<CommitResult> {
    return this.#engine.commit(changeRows(change));
  }

  async feedEnd(): Promise<FeedPosition> {
    const [row] = await this.#rows(this.#engine.feed.end);
    return this.#engine.feed.positionOf(row ?? {});
  }

  async feed(query: FeedQuery): Promise<FeedPage> {
    const statement = this.#engine.feed.changes(query);
    if (statement === undefined) return { kind: "expired" };
    const rows = await this.#engine.rows(statement);
    const [first = {}] = rows;
    if (first["is_expired"] === true || first["is_expired"] === 1) return { kind: "expired" };
    const changes = rows.filter((row) => row["position"] !== null).map(changeOf);
    const isAll = changes.length < query.limit;
    const position = isAll ? textIn(first, "end_position") : (changes.at(-1)?.position ?? query.after);
    return { kind: "changes", changes, position };
  }

  async claim(request: ClaimRequest): Promise<readonly Claim[]> {
    if (request.kinds.length === 0 || request.limit < 1) return [];
    const rows = await this.#timed(claimStatement(request, this.#engine.dialect));
    const ids = rows.map((row) => textIn(row, "resource_id"));
    const known = new Map((await this.loadAll(ids)).map((stored) => [stored.resource.id, stored]));
    return rows
      .flatMap((row) => {
        const stored = known.get(textIn(row, "resource_id"));
        // The resource was removed after the claim: there is no work to do.
        return stored === undefined ? [] : [claimOf(row, request.holder, stored)];
      })
      .toSorted((a, b) => a.dueTime - b.dueTime);
  }

  async complete(completions: readonly Completion[]): Promise<void> {
    if (completions.length === 0) return;
    await this.#engine.rows(completeStatement(completions, this.#engine.dialect));
  }

  async nextDueTime(kinds: readonly string[]): Promise<number | undefined> {
    if (kinds.length === 0) return undefined;
    const [row = {}] = await this.#timed(nextDueStatement(kinds, this.#engine.dialect));
    return optionalInteger(row, "next_time");
  }

  async listPlans(kinds: readonly string[], after: string | undefined, limit: number): Promise<readonly StoredPlan[]> {
    const rows = await this.#engine.rows(plannedStatement({ kinds, after, limit }, this.#engine.dialect));
    return rows.map((row) => ({ stored: storedResourceOf(row), dueTime: optionalInteger(row, "planned_time") }));
  }

  async schedule(work: readonly PlannedWork[]): Promise<void> {
    if (work.length > 0) await this.#engine.rows(planStatement(work, this.#engine.dialect));
  }

  async workStatus(resourceId: string): Promise<WorkStatus | undefined> {
    const [row] = await this.#rows(SELECT_WORK_SQL, resourceId);
    return row === undefined ? undefined : workStatusOf(row);
  }

  async ttls(): Promise<ReadonlyMap<string, RefreshTtl>> {
    // Returns the time even if no TTL is set.
    const text = `SELECT t.kind, t.ready_ms, t.not_ready_ms, present.store_time
      FROM (SELECT ${this.#engine.dialect.now} AS store_time) present LEFT JOIN refresh_ttls t ON true`;
    const rows = (await this.#timed({ text, parameters: [] })).filter((row) => row["kind"] !== null);
    return new Map(
      rows.map((row) => [
        textIn(row, "kind"),
        { readyMs: integerIn(row, "ready_ms"), notReadyMs: integerIn(row, "not_ready_ms") },
      ]),
    );
  }

  async setTtl(kind: string, ttl: RefreshTtl): Promise<void> {
    await this.#rows(
      `INSERT INTO refresh_ttls (kind, ready_ms, not_ready_ms) VALUES ($1, $2, $3)
        ON CONFLICT (kind) DO UPDATE SET ready_ms = excluded.ready_ms, not_ready_ms = excluded.not_ready_ms`,
      kind,
      ttl.readyMs,
      ttl.notReadyMs,
    );
  }

  async counts(stuckBefore: number): Promise<readonly KindCount[]> {
    const rows = await this.#rows(
      `SELECT r.kind, count(*) AS total, count(r.deleted_time) AS deleting, count(x.type) AS not_ready,
        count(CASE WHEN x.last_transition_time < $1 THEN 1 END) AS stuck, min(x.last_transition_time) AS since
      FROM resources r LEFT JOIN resource_conditions x ON x.resource_id = r.id AND x.type = 'Reconciled' AND x.status = 'False'
      GROUP BY r.kind ORDER BY r.kind`,
      stuckBefore,
    );
    return rows.map((row) => ({
      kind: textIn(row, "kind"),
      total: integerIn(row, "total"),
      notReady: integerIn(row, "not_ready"),
      stuck: integerIn(row, "stuck"),
      ...(row["since"] === null ? {} : { notReadySince: integerIn(row, "since") }),
      deleting: integerIn(row, "deleting"),
    }));
  }

  async trim(request: TrimRequest): Promise<void> {
    while ((await this.#engine.rows(trimAuditStatement(request.auditBefore))).length > 0);
    await this.#engine.rows(trimResponsesStatement(request.answersBefore));
    for (const text of this.#engine.feed.trim) await this.#rows(text, request.removedBefore);
    await this.#trimReports(request.reportsPerResource);
    for (const text of this.#engine.maintenanceSql) await this.#rows(text);
  }

  async ping(): Promise<void> {
    await this.#rows("SELECT 1 AS one");
  }

  onCommit(callback: () => void): () => void {
    return this.#engine.onCommit(callback);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Trims only resources that had reports since the last run. */
  async #trimReports(keep: number): Promise<void> {
    const [{ since, newest } = {}] = await this.#rows(
      "SELECT (SELECT reports_time FROM trimmed) AS since, (SELECT time FROM journal ORDER BY id DESC LIMIT 1) AS newest",
    );
    if (newest === null || newest === undefined) return;
    for (let after = ""; ;) {
      const rows = await this.#engine.rows(reportedStatement(Number(since), after));
      const ids = rows.map((row) => textIn(row, "resource_id"));
      const last = ids.at(-1);
      if (last === undefined) break;
      await this.#engine.rows(trimReportsStatement(ids, keep, this.#engine.dialect));
      after = last;
    }
    await this.#rows("UPDATE trimmed SET reports_time = $1 WHERE reports_time < $1", Number(newest));
  }

  /** Runs a statement whose rows contain `store_time`, the reading of the database's clock. */
  async #timed(statement: Statement): Promise<readonly SqlRow[]> {
    const sentAt = this.#clock.monotonic();
    const rows = await this.#engine.rows(statement);
    const time = optionalInteger(rows[0] ?? {}, "store_time");
    if (time !== undefined) this.#time.observe(time, sentAt);
    return rows;
  }

  #rows(text: string, ...parameters: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return this.#engine.rows({ text, parameters });
  }
}

function parentsFirst<T extends StoredResource>(members: readonly T[]): readonly T[] {
  const parents = new Map(members.map(({ resource }) => [resource.id, resource.owner?.id]));
  const depthOf = (id: string | undefined): number => (id === undefined ? 0 : 1 + depthOf(parents.get(id)));
  return members.toSorted((a, b) => depthOf(a.resource.id) - depthOf(b.resource.id));
}

function referencersIn(row: SqlRow): readonly string[] {
  const text = optionalText(row, "referencers");
  const ids = text === undefined ? [] : parseJson(text);
  return Array.isArray(ids) ? [...new Set(ids.map(String))] : [];
}

function changeOf(row: SqlRow): FeedChange {
  const position = textIn(row, "position");
  const removed = optionalText(row, "gone");
  if (removed === undefined) {
    return { kind: "present", resource: resourceOf(row), revision: integerIn(row, "revision"), position };
  }
  // The column is only written from this type.
  return { kind: "gone", resource: parseJson(removed) as unknown as Resource, position };
}

function responseOf(row: SqlRow): IdempotentResponse {
  return {
    key: textIn(row, "key"),
    request: textIn(row, "request"),
    time: integerIn(row, "time"),
    status: integerIn(row, "status"),
    // The column is only written from this type.
    headers: parseJson(textIn(row, "headers")) as IdempotentResponse["headers"],
    body: textIn(row, "body"),
  };
}
