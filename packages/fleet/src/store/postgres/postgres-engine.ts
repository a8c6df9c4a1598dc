import { backoffMs, BACKOFFS, toError, withTimeout } from "@levelset/core/internal";
import type { Pool, PoolConfig } from "pg";
import type { ChangeRows } from "../change-rows.ts";
import type { CommitResult } from "../change-set.ts";
import { POSTGRES_DIALECT } from "../dialect.ts";
import type { Dialect } from "../dialect.ts";
import type { SqlEngine, FeedSql } from "../sql-engine.ts";
import { StoreUnavailableError, StoreUnusableError } from "../store-errors.ts";
import type { StoreWorld } from "../store-config.ts";
import type { SqlRow, Statement } from "../sql-row.ts";
import { COMMIT_SQL, commitParameters } from "./commit-function.ts";
import { CommitQueue } from "./commit-queue.ts";
import { clientConfig, RETRY_TIMEOUT_MS, schemaOf } from "./connection.ts";
import type { PostgresConfig } from "./connection.ts";
import { constraintOf, postgresFailureOf } from "./postgres-failure.ts";
import { POSTGRES_FEED } from "./feed-sql.ts";
import { requireCurrentSchema } from "./migrate.ts";
import { BATCH_SQL, batchParameters } from "./report-function.ts";
import { clientFactory, NOTIFY_SETTINGS, CommitNotifications } from "./commit-notifications.ts";

/** The maximum number of callers that wait for a connection. */
const WAITING_MAX = 10_000;

/** The commit results of violated constraints. */
const REFUSALS: Readonly<Record<string, CommitResult>> = {
  journal_pkey: { kind: "committed" },
  answers_pkey: { kind: "duplicate", what: "answer" },
  resources_root_name: { kind: "duplicate", what: "name" },
  resources_child_name: { kind: "duplicate", what: "name" },
};

/**
 * PostgreSQL with a connection pool. Retries while the database is unreachable, then rejects with
 * `StoreUnavailableError`.
 */
export class PostgresEngine implements SqlEngine {
  readonly dialect: Dialect = POSTGRES_DIALECT;
  readonly feed: FeedSql = POSTGRES_FEED;
  /** Empty: autovacuum maintains the tables. */
  readonly maintenanceSql: readonly string[] = [];
  readonly #pool: Pool;
  readonly #signals: CommitNotifications;
  readonly #world: StoreWorld;
  readonly #retryTimeoutMs: number;
  readonly #names = new Map<string, string>();
  readonly #queue = new CommitQueue({
    commitOne: (rows, isRepeated) => this.#commitAlone(rows, isRepeated),
    commitBatch: (batch) => this.#commitTogether(batch),
  });
  readonly #stop = new AbortController();
  #statements = 0;

  private constructor(pool: Pool, signals: CommitNotifications, world: StoreWorld, retryTimeoutMs: number) {
    this.#pool = pool;
    this.#signals = signals;
    this.#world = world;
    this.#retryTimeoutMs = retryTimeoutMs;
    // An idle connection broke. Without a listener the event would end the process.
    pool.on("error", (error) => world.logger.warn("idle database connection broke", { err: error }));
  }

  /** Connects. Rejects with `StoreUnusableError` unless the tables have the current version. */
  static async open(config: PostgresConfig, world: StoreWorld): Promise<PostgresEngine> {
    const { connectionsMax = 10, retryTimeoutMs = RETRY_TIMEOUT_MS } = config;
    const { default: pg } = await import("pg");
    const options: PoolConfig = { ...clientConfig(config), max: connectionsMax, idleTimeoutMillis: 60_000 };
    const connect = await clientFactory(clientConfig(config, NOTIFY_SETTINGS));
    const signals = new CommitNotifications({ connect, channel: `levelset_fleet_${schemaOf(config)}`, world });
    const engine = new PostgresEngine(new pg.Pool(options), signals, world, retryTimeoutMs);
    try {
      await requireCurrentSchema((statement) => engine.rows(statement), schemaOf(config));
      return engine;
    } catch (error) {
      await engine.close();
      const isRefused = error instanceof StoreUnavailableError && postgresFailureOf(error.cause) === "refused";
      throw isRefused ? new StoreUnusableError(error.message, { cause: error.cause }) : error;
    }
  }

  get statements(): number {
    return this.#statements;
  }

  rows(statement: Statement): Promise<readonly SqlRow[]> {
    return this.#withRetries(() => this.#send(statement));
  }

  async commit(rows: ChangeRows): Promise<CommitResult> {
    const committed = await this.#queue.commit(rows);
    if (committed.kind === "committed") this.#signals.notify();
    return committed;
  }

  onCommit(callback: () => void): () => void {
    return this.#signals.add(callback);
  }

  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    await this.#signals.close();
    await this.#pool.end();
  }

  #commitAlone(rows: ChangeRows, mayHaveHappened: boolean): Promise<CommitResult> {
    const parameters = commitParameters(rows);
    return this.#withRetries(async (isRepeated) => {
      const outcome = await this.#commitOnce(parameters);
      // The conflict may be caused by an earlier attempt of this commit whose response was lost.
      const isOwn =
        outcome.kind !== "committed" && (mayHaveHappened || isRepeated) && (await this.#isInJournal(rows.id));
      return isOwn ? { kind: "committed" as const } : outcome;
    });
  }

  async #commitTogether(batch: readonly ChangeRows[]): Promise<void> {
    const { clock } = this.#world;
    const sent = this.#send({ text: BATCH_SQL, parameters: batchParameters(batch), isPrepared: true });
    await this.#inTime(sent, clock.monotonic() + this.#retryTimeoutMs);
  }

  async #commitOnce(parameters: Statement["parameters"]): Promise<CommitResult> {
    try {
      await this.#send({ text: COMMIT_SQL, parameters, isPrepared: true });
      return { kind: "committed" };
    } catch (error) {
      const failure = postgresFailureOf(error);
      if (failure === "conflict") return { kind: "conflict" };
      const refusal = failure === "broken" ? REFUSALS[constraintOf(error) ?? ""] : undefined;
      if (refusal === undefined) throw error;
      return refusal;
    }
  }

  async #isInJournal(id: string): Promise<boolean> {
    const text = "SELECT id FROM journal WHERE id = $1";
    return (await this.#send({ text, parameters: [id] })).length > 0;
  }

  async #send({ text, parameters, isPrepared }: Statement): Promise<readonly SqlRow[]> {
    if (this.#stop.signal.aborted) throw new StoreUnavailableError("the store is closed");
    if (this.#pool.waitingCount >= WAITING_MAX)
      throw new StoreUnavailableError("too many callers wait for a database connection");
    this.#statements += 1;
    const name = isPrepared === true ? { name: this.#nameOf(text) } : {};
    const { rows } = await this.#pool.query<SqlRow>({ ...name, text, values: [...parameters] });
    return rows;
  }

  #nameOf(text: string): string {
    const name = this.#names.get(text) ?? `levelset_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /** Retries while the database is unreachable, until the retry timeout. */
  async #withRetries<T>(attempt: (isRepeated: boolean) => Promise<T>): Promise<T> {
    const { clock, random } = this.#world;
    const deadline = clock.monotonic() + this.#retryTimeoutMs;
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.#inTime(attempt(tries > 0), deadline);
      } catch (error) {
        const failure = error instanceof StoreUnavailableError ? "refused" : postgresFailureOf(error);
        if (failure === "other" || failure === "broken") throw error;
        const waitMs = backoffMs(tries + 1, BACKOFFS.database, random);
        if (failure === "refused" || clock.monotonic() + waitMs >= deadline) throw unavailable(error);
        await clock.sleep(waitMs, this.#stop.signal).catch(() => {
          throw unavailable(error);
        });
      }
    }
  }

  /**
   * Returns the result of an attempt, or throws `StoreUnavailableError` after the deadline. A later result is ignored.
   */
  #inTime<T>(attempt: Promise<T>, deadline: number): Promise<T> {
    const { clock } = this.#world;
    const error = (): Error => new StoreUnavailableError("the database did not respond in time");
    return withTimeout({ clock, ms: Math.max(0, deadline - clock.monotonic()), error }, attempt);
  }
}

function unavailable(error: unknown): StoreUnavailableError {
  if (error instanceof StoreUnavailableError) return error;
  return new StoreUnavailableError(`cannot reach the database: ${toError(error).message}`, { cause: error });
}
