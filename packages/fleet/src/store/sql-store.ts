import { parseJson } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { RefreshTtl, Resource } from "../resource/index.ts";
import { changeRows } from "./change-rows.ts";
import type { ChangeSet, Committed } from "./change-set.ts";
import type { FeedChange, FeedPart, FeedPosition, FeedQuery } from "./change-feed.ts";
import type { Claim, ClaimRequest, Completion, PlannedWork, WorkNote } from "./due-work.ts";
import { DatabaseTime } from "./database-time.ts";
import type { Engine } from "./engine.ts";
import {
  entryOf,
  journalStatement,
  reportedStatement,
  trimAnswersStatement,
  trimAuditStatement,
  trimReportsStatement,
} from "./journal-sql.ts";
import type { JournalEntry, JournalQuery } from "./journal.ts";
import type { KeptAnswer } from "./kept-answer.ts";
import type { ListedPart, ListQuery } from "./list-query.ts";
import { familyStatement, listedPart, listStatement, loadAllStatement, loadStatement } from "./resource-sql.ts";
import { resourceOf, storedOf } from "./resource-row.ts";
import { integerIn, optionalInteger, optionalText, textIn } from "./sql-row.ts";
import type { SqlRow, SqlValue, Statement } from "./sql-row.ts";
import type { FleetStore, KindCount, StoredFamily, StoredPlan, TrimRequest } from "./store.ts";
import type { ResourceKey, Stored } from "./stored.ts";
import {
  claimOf,
  claimStatement,
  completeStatement,
  nextDueStatement,
  plannedStatement,
  planStatement,
  WORK,
  workOf,
} from "./work-sql.ts";

/** A store in a database of SQL. What the databases have in common is here; each brings an engine. */
export class SqlStore implements FleetStore {
  readonly kind: "sqlite" | "postgres";
  readonly hasClock: boolean;
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #time: DatabaseTime;

  constructor(engine: Engine, { clock }: { readonly clock: Clock }) {
    this.kind = engine.dialect.name;
    // SQLite is in this process, and its clock is the machine's.
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

  async load(key: ResourceKey): Promise<Stored | undefined> {
    const [row] = await this.#engine.rows(loadStatement(key, this.#engine.dialect));
    return row === undefined ? undefined : storedOf(row);
  }

  async loadAll(ids: readonly string[]): Promise<readonly Stored[]> {
    if (ids.length === 0) return [];
    return (await this.#engine.rows(loadAllStatement(ids, this.#engine.dialect))).map(storedOf);
  }

  async family(key: ResourceKey): Promise<StoredFamily | undefined> {
    const rows = await this.#engine.rows(familyStatement(key, this.#engine.dialect));
    if (rows.length === 0) return undefined;
    const referring = rows.map(referencersIn);
    // A target that gets another referencer gets another revision: what was committed between these two reads is found out.
    const known = new Map((await this.loadAll(referring.flat())).map(({ resource }) => [resource.id, resource]));
    const members = rows.map((row, index) => {
      const referencers = (referring[index] ?? []).flatMap((id) => known.get(id) ?? []);
      return { ...storedOf(row), referencers };
    });
    return { members: parentsFirst(members) };
  }

  async list(query: ListQuery): Promise<ListedPart> {
    return listedPart(query, await this.#engine.rows(listStatement(query, this.#engine.dialect)));
  }

  async journal(query: JournalQuery): Promise<readonly JournalEntry[]> {
    return (await this.#engine.rows(journalStatement(query, this.#engine.dialect))).map(entryOf);
  }

  async answer(key: string): Promise<KeptAnswer | undefined> {
    const [row] = await this.#rows("SELECT * FROM answers WHERE key = $1", key);
    return row === undefined ? undefined : answerOf(row);
  }

  commit(change: ChangeSet): Promise<Committed> {
    return this.#engine.commit(changeRows(change));
  }

  async feedEnd(): Promise<FeedPosition> {
    const [row] = await this.#rows(this.#engine.feed.end);
    return this.#engine.feed.positionOf(row ?? {});
  }

  async feed(query: FeedQuery): Promise<FeedPart> {
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
        // Removed since it was claimed: there is nothing left to do.
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

  async planned(kinds: readonly string[], after: string | undefined, limit: number): Promise<readonly StoredPlan[]> {
    const rows = await this.#engine.rows(plannedStatement({ kinds, after, limit }, this.#engine.dialect));
    return rows.map((row) => ({ stored: storedOf(row), dueTime: optionalInteger(row, "planned_time") }));
  }

  async plan(work: readonly PlannedWork[]): Promise<void> {
    if (work.length > 0) await this.#engine.rows(planStatement(work, this.#engine.dialect));
  }

  async work(resourceId: string): Promise<WorkNote | undefined> {
    const [row] = await this.#rows(WORK, resourceId);
    return row === undefined ? undefined : workOf(row);
  }

  async ttls(): Promise<ReadonlyMap<string, RefreshTtl>> {
    // The time comes also where no TTL is set.
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
    await this.#engine.rows(trimAnswersStatement(request.answersBefore));
    for (const text of this.#engine.feed.forget) await this.#rows(text, request.removedBefore);
    await this.#trimReports(request.reportsPerResource);
    for (const text of this.#engine.upkeep) await this.#rows(text);
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

  /** Only of resources that had reports since the last time. */
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

  /** Runs a statement whose rows have `store_time`: what the database's clock shows. */
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

function parentsFirst<T extends Stored>(members: readonly T[]): readonly T[] {
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
  const gone = optionalText(row, "gone");
  if (gone === undefined) {
    return { kind: "present", resource: resourceOf(row), revision: integerIn(row, "revision"), position };
  }
  // It was written from this very type.
  return { kind: "gone", resource: parseJson(gone) as unknown as Resource, position };
}

function answerOf(row: SqlRow): KeptAnswer {
  return {
    key: textIn(row, "key"),
    request: textIn(row, "request"),
    time: integerIn(row, "time"),
    status: integerIn(row, "status"),
    // It was written from this very type.
    headers: parseJson(textIn(row, "headers")) as KeptAnswer["headers"],
    body: textIn(row, "body"),
  };
}
