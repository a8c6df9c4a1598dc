import { formatKey, isNotFound, keyOf, parseKey, randomText, toError, unreachable } from "@levelset/core";
import type { AnyCustomKind, Clock, KubeObject, Logger, ObjectKey, ObjectOf, Random } from "@levelset/core";
import type { Informer, ObjectChange } from "../cache/index.ts";
import type { Client } from "../client/index.ts";
import { WorkQueue } from "../queue/index.ts";
import type { Job } from "../queue/index.ts";
import { describeResult, fail, reconcile } from "../step/index.ts";
import type { AnyResult, Plan, RunReport } from "../step/index.ts";
import { changeReason } from "./reason.ts";

/** Delays between tries of a failing object. */
const BACKOFF = { firstMs: 200, maxMs: 300_000 } as const;

/** One run of one object, as it is recorded. */
export interface RunRecord {
  readonly key: ObjectKey;
  readonly reasons: readonly string[];
  readonly startedAt: number;
  readonly durationMs: number;
  readonly report: RunReport;
}

/**
 * A run in progress. The watch may tell of our own write before the server's answer to it has arrived, so changes that come in
 * during a run are held until its end, when it is known which of them are ours.
 */
interface ActiveRun<O extends KubeObject> {
  readonly changes: ObjectChange<O>[];
  /** The resourceVersions that this run wrote. */
  readonly written: Set<string>;
}

/** What a controller needs. */
export interface ControllerOptions<K extends AnyCustomKind> {
  readonly plan: Plan<K>;
  readonly client: Client;
  readonly informer: Informer<K>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** How many objects are reconciled at a time. One object is never reconciled twice at a time. */
  readonly concurrency: number;
  /** Told of every run. */
  readonly onRun?: (record: RunRecord) => void;
}

/**
 * Runs the steps of a kind for every object that changed. The cache feeds the queue, workers take from it, and the result of a run
 * says when the next one is due. One failing object never touches another.
 */
export class Controller<K extends AnyCustomKind> {
  readonly #options: ControllerOptions<K>;
  readonly #queue: WorkQueue;
  readonly #active = new Map<string, ActiveRun<ObjectOf<K>>>();

  constructor(options: ControllerOptions<K>) {
    this.#options = options;
    const { clock, random, informer } = options;
    this.#queue = new WorkQueue({ clock, random, backoff: BACKOFF });
    informer.subscribe((change) => {
      const active = this.#active.get(formatKey(keyOf(change.object)));
      if (active === undefined) this.#enqueue(change);
      else active.changes.push(change);
    });
  }

  /** Works until the signal aborts; resolves when the last run has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const close = (): void => this.#queue.close();
    signal.addEventListener("abort", close, { once: true });
    if (signal.aborted) close();
    await Promise.all(Array.from({ length: this.#options.concurrency }, () => this.#worker(signal)));
  }

  async #worker(signal: AbortSignal): Promise<void> {
    for (let job = await this.#queue.take(); job !== undefined; job = await this.#queue.take()) {
      const active: ActiveRun<ObjectOf<K>> = { changes: [], written: new Set() };
      this.#active.set(job.key, active);
      try {
        await this.#work(job, active, signal);
      } finally {
        this.#active.delete(job.key);
        for (const change of active.changes) {
          if (!active.written.has(change.object.metadata.resourceVersion)) this.#enqueue(change);
        }
        this.#queue.done(job.key);
      }
    }
  }

  #enqueue(change: ObjectChange<ObjectOf<K>>): void {
    const key = formatKey(keyOf(change.object));
    const reason = changeReason(change);
    if (reason === undefined) this.#queue.forget(key);
    else this.#queue.add(key, reason);
  }

  async #work(job: Job, active: ActiveRun<ObjectOf<K>>, signal: AbortSignal): Promise<void> {
    const { informer, clock, onRun } = this.#options;
    const key = parseKey(job.key);
    const object = informer.get(key);
    if (object === undefined) return this.#queue.forget(job.key);
    const logger = this.#runLogger(key);
    const startedAt = clock.now();
    const report = await this.#reconcile(object, active, logger, signal);
    if (signal.aborted) return;
    onRun?.({ key, reasons: job.reasons, startedAt, durationMs: clock.now() - startedAt, report });
    await this.#follow(job.key, object, report, logger, signal);
  }

  async #reconcile(
    object: ObjectOf<K>,
    active: ActiveRun<ObjectOf<K>>,
    logger: Logger,
    signal: AbortSignal,
  ): Promise<RunReport> {
    const { plan, client, clock, informer } = this.#options;
    try {
      const onWritten = (written: ObjectOf<K>): void => {
        active.written.add(written.metadata.resourceVersion);
        informer.observe(written);
      };
      return await reconcile(plan, object, { client, clock, logger, signal, onWritten });
    } catch (error) {
      // Saving failed: what the steps found is lost with it, and the next run finds it again.
      return { kind: "ran", result: fail(error), steps: [], conditions: [], writes: 0 };
    }
  }

  async #follow(
    key: string,
    object: ObjectOf<K>,
    report: RunReport,
    logger: Logger,
    signal: AbortSignal,
  ): Promise<void> {
    switch (report.kind) {
      case "gone":
        this.#options.informer.forget(object);
        return this.#queue.forget(key);
      case "again":
        if (report.why === "finalizer added") return this.#queue.add(key, "its finalizer is in place");
        return this.#refresh(key, object, logger, signal);
      case "ran":
        return this.#schedule(key, report.result, logger);
      default:
        return unreachable(report);
    }
  }

  #schedule(key: string, result: AnyResult, logger: Logger): void {
    switch (result.kind) {
      case "ok":
      case "wait":
        return this.#queue.forget(key);
      case "requeueAfter":
        this.#queue.forget(key);
        return this.#queue.addAfter(key, result.afterMs, "its time came");
      case "terminal":
        logger.warn("reconcile stopped until something changes", { error: describeResult(result) });
        return this.#queue.forget(key);
      case "fail": {
        const retryMs = this.#queue.addAfterFailure(key, "its last run failed");
        return logger.warn("reconcile failed", { error: describeResult(result), retryMs: Math.round(retryMs) });
      }
      default:
        return unreachable(result);
    }
  }

  /** Our copy was refused as old: read the newest, then run again. If it was not old after all, the refusal is a failure. */
  async #refresh(key: string, object: ObjectOf<K>, logger: Logger, signal: AbortSignal): Promise<void> {
    const { client, plan, informer } = this.#options;
    try {
      const fresh = await client.get(plan.kind, keyOf(object), { signal });
      if (fresh.metadata.resourceVersion === object.metadata.resourceVersion) {
        return this.#schedule(key, fail("the server refused our write of the latest version"), logger);
      }
      informer.observe(fresh);
      this.#queue.add(key, "our copy was old");
    } catch (error) {
      if (signal.aborted) return;
      if (!isNotFound(error)) return this.#schedule(key, fail(toError(error)), logger);
      informer.forget(object);
      this.#queue.forget(key);
    }
  }

  #runLogger(key: ObjectKey): Logger {
    const { logger, plan, random } = this.#options;
    const reconcileId = randomText(random, 8, "0123456789abcdef");
    return logger.with({ kind: plan.kind.kind, namespace: key.namespace, name: key.name, reconcileId });
  }
}
