import { jitter, toError } from "@levelset/core";
import type { Pool, PoolConfig } from "pg";
import type { ChangeRows } from "../change-rows.ts";
import type { Committed } from "../change-set.ts";
import { POSTGRES } from "../dialect.ts";
import type { Dialect } from "../dialect.ts";
import type { Engine, FeedSql } from "../engine.ts";
import { StoreUnavailable, StoreUnusable } from "../errors.ts";
import type { StoreWorld } from "../store-config.ts";
import type { SqlRow, Statement } from "../sql-row.ts";
import { COMMIT_SQL, commitParameters } from "./commit-function.ts";
import { CommitQueue } from "./commit-queue.ts";
import { clientConfig, DEFAULT_PATIENCE_MS, schemaOf } from "./connection.ts";
import type { PostgresConfig } from "./connection.ts";
import { constraintOf, postgresFailureOf } from "./failure.ts";
import { POSTGRES_FEED } from "./feed-sql.ts";
import { requirePresent } from "./migrate.ts";
import { BATCH_SQL, batchParameters } from "./report-function.ts";
import { clientsOf, SIGNAL_SETTINGS, Signals } from "./signals.ts";

/** How many callers may wait for a connection. */
const WAITING_MAX = 10_000;
const RETRY_MS = { first: 20, longest: 500 };

/** What rules of tables say when a change breaks them. */
const REFUSALS: Readonly<Record<string, Committed>> = {
  journal_pkey: { kind: "committed" },
  answers_pkey: { kind: "taken", what: "answer" },
  resources_root_name: { kind: "taken", what: "name" },
  resources_child_name: { kind: "taken", what: "name" },
};

/** PostgreSQL over a pool of connections. */
export class PostgresEngine implements Engine {
  readonly dialect: Dialect = POSTGRES;
  readonly feed: FeedSql = POSTGRES_FEED;
  /** Autovacuum does it. */
  readonly upkeep: readonly string[] = [];
  readonly #pool: Pool;
  readonly #signals: Signals;
  readonly #world: StoreWorld;
  readonly #patienceMs: number;
  readonly #names = new Map<string, string>();
  readonly #queue = new CommitQueue({
    alone: (rows, isRepeated) => this.#commitAlone(rows, isRepeated),
    together: (batch) => this.#commitTogether(batch),
  });
  readonly #stop = new AbortController();
  #statements = 0;

  private constructor(pool: Pool, signals: Signals, world: StoreWorld, patienceMs: number) {
    this.#pool = pool;
    this.#signals = signals;
    this.#world = world;
    this.#patienceMs = patienceMs;
    // A connection that breaks while nobody uses it. Without a listener it would end the process.
    pool.on("error", (error) => world.logger.warn("a connection to the database broke", { error }));
  }

  /** Connects. Rejects with `StoreUnusable` unless the tables are those of this version. */
  static async open(config: PostgresConfig, world: StoreWorld): Promise<PostgresEngine> {
    const { connectionsMax = 10, patienceMs = DEFAULT_PATIENCE_MS } = config;
    const { default: pg } = await import("pg");
    const options: PoolConfig = { ...clientConfig(config), max: connectionsMax, idleTimeoutMillis: 60_000 };
    const connect = await clientsOf(clientConfig(config, SIGNAL_SETTINGS));
    const signals = new Signals({ connect, channel: `levelset_fleet_${schemaOf(config)}`, world });
    const engine = new PostgresEngine(new pg.Pool(options), signals, world, patienceMs);
    try {
      await requirePresent((statement) => engine.rows(statement), schemaOf(config));
      return engine;
    } catch (error) {
      await engine.close();
      const isRefused = error instanceof StoreUnavailable && postgresFailureOf(error.cause) === "refused";
      throw isRefused ? new StoreUnusable(error.message, { cause: error.cause }) : error;
    }
  }

  get statements(): number {
    return this.#statements;
  }

  rows(statement: Statement): Promise<readonly SqlRow[]> {
    return this.#patiently(() => this.#send(statement));
  }

  async commit(rows: ChangeRows): Promise<Committed> {
    const committed = await this.#queue.commit(rows);
    if (committed.kind === "committed") this.#signals.committed();
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

  #commitAlone(rows: ChangeRows, mayHaveHappened: boolean): Promise<Committed> {
    const parameters = commitParameters(rows);
    return this.#patiently(async (isRepeated) => {
      const outcome = await this.#commitOnce(parameters);
      // An earlier attempt of which nobody heard may be what is in the way.
      const isOwn =
        outcome.kind !== "committed" && (mayHaveHappened || isRepeated) && (await this.#isInJournal(rows.id));
      return isOwn ? { kind: "committed" as const } : outcome;
    });
  }

  async #commitTogether(batch: readonly ChangeRows[]): Promise<void> {
    const { clock } = this.#world;
    const sent = this.#send({ text: BATCH_SQL, parameters: batchParameters(batch), isPrepared: true });
    await this.#inTime(sent, clock.monotonic() + this.#patienceMs);
  }

  async #commitOnce(parameters: Statement["parameters"]): Promise<Committed> {
    try {
      await this.#send({ text: COMMIT_SQL, parameters, isPrepared: true });
      return { kind: "committed" };
    } catch (error) {
      const failure = postgresFailureOf(error);
      if (failure === "beaten") return { kind: "conflict" };
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
    if (this.#stop.signal.aborted) throw new StoreUnavailable("the store is closed");
    if (this.#pool.waitingCount >= WAITING_MAX) throw new StoreUnavailable("too many callers wait for the database");
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

  /** Tries again while the database is away, until the patience ends. */
  async #patiently<T>(attempt: (isRepeated: boolean) => Promise<T>): Promise<T> {
    const { clock, random } = this.#world;
    const deadline = clock.monotonic() + this.#patienceMs;
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.#inTime(attempt(tries > 0), deadline);
      } catch (error) {
        const failure = error instanceof StoreUnavailable ? "refused" : postgresFailureOf(error);
        if (failure === "other" || failure === "broken") throw error;
        const waitMs = jitter(random, Math.min(RETRY_MS.longest, RETRY_MS.first * 2 ** tries), 0.5);
        if (failure === "refused" || clock.monotonic() + waitMs >= deadline) throw unavailable(error);
        await clock.sleep(waitMs, this.#stop.signal).catch(() => {
          throw unavailable(error);
        });
      }
    }
  }

  /** What an attempt comes to; `StoreUnavailable` if that takes too long. What it comes to then is nobody's matter. */
  async #inTime<T>(attempt: Promise<T>, deadline: number): Promise<T> {
    const { clock } = this.#world;
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = clock.after(Math.max(0, deadline - clock.monotonic()), () => {
      reject(new StoreUnavailable("the database does not answer in time"));
    });
    attempt.catch(() => {});
    try {
      return await Promise.race([attempt, promise]);
    } finally {
      timer.cancel();
    }
  }
}

function unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  return new StoreUnavailable(`the database cannot be reached: ${toError(error).message}`, { cause: error });
}
