import { formatKey, isPaused, objectKeyOf } from "@levelset/core";
import { onAbort, parseKey, randomString, retryAfterOf, toError, unreachable, BACKOFFS } from "@levelset/core/internal";
import type { AnyCustomKind, Clock, KubeObject, Logger, ObjectKey, ObjectOf, Random, Timer } from "@levelset/core";
import { Contention } from "../apply/index.ts";
import type { ApplyCache } from "../apply/index.ts";
import { changedPaths } from "../cache/index.ts";
import type { Cache } from "../cache/index.ts";
import { Discovery } from "../client/index.ts";
import { WorkQueue } from "../queue/index.ts";
import type { WorkItem } from "../queue/index.ts";
import { describeResult, fail, reconcile, RECONCILE_ANNOTATION, reportUnwatched } from "../engine/index.ts";
import type {
  AnyResult,
  EffectHooks,
  EventSink,
  RunDependencies,
  StepPlan,
  RunReport,
  Tracer,
} from "../engine/index.ts";
import { ActiveRun } from "./active-run.ts";
import { ConflictStreaks } from "./conflict-streaks.ts";
import { HOT_LOOP, HotLoopGuard } from "./hot-loop.ts";
import type { HotLoop, HotLoopLimits } from "./hot-loop.ts";
import { RunLog } from "./run-log.ts";
import type { RunRecord } from "./run-log.ts";
import { EventRouter } from "./event-router.ts";
import type { EnqueueRequest } from "./event-router.ts";
import { checkStatusSubresource } from "./status-subresource.ts";
import { reportUntilWatched } from "./unwatched-reporter.ts";
import type { WatchRule } from "./watch-rule.ts";

/** Callbacks of a controller. */
export interface ControllerListener {
  /** A run ended. */
  onRun?(record: RunRecord): void;
  /** An object is throttled. */
  onHotLoop?(key: ObjectKey, loop: HotLoop): void;
}

/** Options of {@link Controller}. */
export interface ControllerOptions<K extends AnyCustomKind> extends EffectHooks, Pick<RunDependencies, "stepScope"> {
  readonly plan: StepPlan<K>;
  readonly cache: Cache;
  /** Field manager of our writes. */
  readonly fieldManager: string;
  /** Watches in addition to those derived from the steps. */
  readonly watches: readonly WatchRule<K>[];
  /** Only these namespaces. Absent: all. */
  readonly namespaces?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly events: EventSink;
  readonly tracer: Tracer;
  /** Applied children that the server normalizes. */
  readonly applyCache: ApplyCache;
  /** Maximum number of objects that are reconciled concurrently. The same object is never reconciled concurrently. */
  readonly concurrency: number;
  /** Time limit for the steps of a run. Longer runs are aborted and count as failed. */
  readonly deadlineMs: number;
  readonly hotLoop?: HotLoopLimits;
  readonly listener: ControllerListener;
}

/** Health of a controller. */
export interface ControllerHealth {
  readonly waiting: number;
  readonly delayed: number;
  readonly running: number;
  /** When the key that has waited longest was queued. */
  readonly oldestAt: number | undefined;
}

/**
 * Reconciles every changed object of a kind. The cache feeds the queue, workers take keys from it, and the result of a
 * run determines the next one. Failures of one object do not affect others. Watches start in the constructor and
 * workers in `run`, so that the cache of a standby is warm when it becomes the leader.
 */
export class Controller<K extends AnyCustomKind> {
  readonly runs: RunLog = new RunLog();
  readonly #options: ControllerOptions<K>;
  readonly #queue: WorkQueue;
  readonly #router: EventRouter<K>;
  readonly #discovery: Discovery;
  readonly #guard: HotLoopGuard;
  readonly #contention: Contention;
  readonly #streaks = new ConflictStreaks();
  readonly #active = new Map<string, ActiveRun>();
  readonly #stopped = Promise.withResolvers<void>();
  #runNumber = 0;

  constructor(options: ControllerOptions<K>) {
    this.#options = options;
    const { plan, cache, watches, namespaces, clock, random } = options;
    this.#guard = new HotLoopGuard(clock, options.hotLoop ?? HOT_LOOP);
    this.#contention = new Contention(clock);
    this.#queue = new WorkQueue({ clock, random, backoff: BACKOFFS.controller, onCapacity: () => this.#enqueueAll() });
    this.#discovery = new Discovery(cache.client(options.fieldManager));
    this.#router = new EventRouter({
      plan,
      cache,
      clock,
      watches,
      namespaces,
      onEnqueue: (request) => this.#onEnqueue(request),
      onDeleted: (key) => this.#forget(key),
      onDefect: (what, error) => logDefect(options.logger, what, error),
    });
  }

  /** Resolves once all watched kinds have been listed. */
  get synced(): Promise<unknown> {
    return this.#router.synced;
  }

  get health(): ControllerHealth {
    const { depth, delayed, running, oldestAt } = this.#queue;
    return { waiting: depth, delayed, running, oldestAt };
  }

  /**
   * Runs workers until the signal aborts. Runs in progress get `graceMs` to finish; resolves when the last one has
   * ended.
   */
  async run(stopping: AbortSignal, graceMs = 0): Promise<void> {
    const { signal, release } = this.#delayed(stopping, graceMs);
    try {
      await this.#workers(stopping, signal);
    } finally {
      release();
    }
  }

  /** Returns a signal that aborts `graceMs` after another. */
  #delayed(stopping: AbortSignal, graceMs: number): { readonly signal: AbortSignal; readonly release: () => void } {
    if (graceMs === 0) return { signal: stopping, release: () => {} };
    const end = new AbortController();
    let timer: Timer | undefined;
    const link = onAbort(stopping, () => {
      timer = this.#options.clock.after(graceMs, () => end.abort());
    });
    const release = (): void => {
      timer?.cancel();
      link[Symbol.dispose]();
    };
    return { signal: end.signal, release };
  }

  async #workers(stopping: AbortSignal, signal: AbortSignal): Promise<void> {
    using _ = onAbort(stopping, () => {
      this.#queue.close();
      this.#stopped.resolve();
    });
    const watched = Promise.all([this.synced, this.#reportUntilWatched(stopping)]);
    await Promise.race([watched.then(() => this.#checkKind(stopping)), this.#stopped.promise]);
    await Promise.all(Array.from({ length: this.#options.concurrency }, () => this.#worker(signal)));
  }

  /** Reports on the objects while their steps cannot run, because the server refuses to list a declared kind. */
  #reportUntilWatched(signal: AbortSignal): Promise<void> {
    const { plan, clock, logger } = this.#options;
    const { own } = this.#router;
    return reportUntilWatched<ObjectOf<K>>({
      listed: own.synced,
      synced: this.synced,
      objects: () => own.list(),
      refusal: () => this.#router.refusal,
      report: (object, message) =>
        reportUnwatched(plan, object, message, this.#tools(this.#runLogger(objectKeyOf(object)), signal)),
      clock,
      logger,
      stopped: this.#stopped.promise,
      signal,
    });
  }

  /** Checks the CRD once it is served: another client may have installed it. */
  async #checkKind(signal: AbortSignal): Promise<void> {
    const { plan, cache, clock, fieldManager } = this.#options;
    if (!signal.aborted) await checkStatusSubresource(cache.client(fieldManager), plan.kind, { clock, signal });
  }

  /** Stops all watches. */
  close(): void {
    this.#queue.close();
    this.#router.close();
  }

  #onEnqueue(request: EnqueueRequest): void {
    const active = this.#active.get(request.key);
    if (active === undefined) this.#enqueue(request);
    else active.defer(request);
  }

  #enqueue({ key, triggers, priority, yieldsToRetry = false }: EnqueueRequest): void {
    if (yieldsToRetry && this.#queue.numRequeues(key) > 0) return;
    this.#queue.addAll(key, triggers, priority);
  }

  #forget(key: string): void {
    this.#queue.forget(key);
    this.#guard.reset(key);
    this.#streaks.forget(key);
  }

  #enqueueAll(): void {
    for (const object of this.#router.own.list()) {
      this.#queue.add(formatKey(objectKeyOf(object)), { kind: "overflow" }, "low");
    }
  }

  async #worker(signal: AbortSignal): Promise<void> {
    for (let job = await this.#queue.get(); job !== undefined; job = await this.#queue.get()) {
      const active = new ActiveRun();
      this.#active.set(job.key, active);
      try {
        // Reads must include our own writes, also those whose response was lost.
        if (!this.#options.cache.isConsistent)
          await Promise.race([this.#options.cache.waitConsistent(), this.#stopped.promise]);
        if (!signal.aborted) await this.#work(job, active, signal);
      } finally {
        this.#active.delete(job.key);
        for (const request of active.foreignRequests) this.#enqueue(request);
        this.#queue.done(job.key);
      }
    }
  }

  async #work(job: WorkItem, active: ActiveRun, signal: AbortSignal): Promise<void> {
    const key = parseKey(job.key);
    const object = this.#router.own.get(key);
    if (object === undefined) return this.#forget(job.key);
    if (isPaused(object)) return;
    if (job.triggers.has("requested")) this.#forget(job.key);
    const delayMs = this.#guard.delayMs(job.key, object.metadata.generation);
    if (delayMs > 0) return this.#queue.postpone(job, delayMs, { kind: "throttled" });
    await this.#reconcile(job, object, active, signal);
    // The run may have requested watches after its object was deleted.
    if (this.#router.own.get(key) === undefined) this.#router.forget(job.key);
  }

  async #reconcile(job: WorkItem, object: ObjectOf<K>, active: ActiveRun, signal: AbortSignal): Promise<void> {
    const { clock, listener } = this.#options;
    const key = objectKeyOf(object);
    const logger = this.#runLogger(key);
    const startedAt = clock.now();
    const startMs = clock.monotonic();
    const report = await this.#steps(object, active, logger, signal);
    if (signal.aborted) return;
    const record: RunRecord = {
      number: ++this.#runNumber,
      key,
      generation: object.metadata.generation,
      triggers: job.triggers,
      reasons: job.reasons,
      requested: object.metadata.annotations?.[RECONCILE_ANNOTATION],
      startedAt,
      waitedMs: Math.max(0, startedAt - job.addedAt),
      durationMs: clock.monotonic() - startMs,
      report,
    };
    this.runs.add(record);
    listener.onRun?.(record);
    this.#detectHotLoop(object, report, active);
    this.#reportConflicts(object, report, logger);
    this.#requeue(job.key, object, report, logger);
  }

  async #steps(object: ObjectOf<K>, active: ActiveRun, logger: Logger, signal: AbortSignal): Promise<RunReport> {
    const { plan, tracer } = this.#options;
    try {
      const tools = this.#tools(logger, signal, active);
      return await tracer.span(`reconcile ${plan.kind.kind}`, { ...objectKeyOf(object) }, () =>
        reconcile(plan, object, tools),
      );
    } catch (error) {
      // Saving failed, so the results of the steps are lost; the next run computes them again.
      return failed(toError(error));
    }
  }

  /** Returns the dependencies of a run. `active` observes its writes. */
  #tools(logger: Logger, signal: AbortSignal, active?: ActiveRun): RunDependencies {
    const { cache, clock, events, tracer, stepScope, externalInterceptor, assertLeading } = this.#options;
    const { applyCache, fieldManager, deadlineMs } = this.#options;
    return {
      client: cache.client(fieldManager, active),
      discovery: this.#discovery,
      reader: this.#router,
      // The run reads it as an object of this kind.
      observe: (fresh: KubeObject) => this.#router.own.observe(fresh as ObjectOf<K>),
      clock,
      events,
      tracer,
      stepScope,
      externalInterceptor,
      assertLeading,
      contention: this.#contention,
      applyCache,
      logger,
      signal,
      deadlineMs,
    };
  }

  #detectHotLoop(object: ObjectOf<K>, report: RunReport, active: ActiveRun): void {
    if (report.kind !== "ran") return;
    const { logger, events, listener } = this.#options;
    const key = objectKeyOf(object);
    const after = this.#router.own.get(key) ?? object;
    const fields =
      report.writes === 0 ? [] : changedPaths(written(object), written(after)).map((path) => path.slice(1));
    const others = active.writtenExcept(object.metadata.uid);
    const loop = this.#guard.recordRun(formatKey(key), object.metadata.generation, fields, others);
    if (loop === undefined) return;
    logger.warn("hot loop detected, object is throttled", { ...key, ...loop });
    events.record(object, { type: "Warning", reason: "HotLoop", message: hotLoopMessage(loop) });
    listener.onHotLoop?.(key, loop);
  }

  #reportConflicts(object: ObjectOf<K>, report: RunReport, logger: Logger): void {
    const streak = this.#streaks.ended(formatKey(objectKeyOf(object)), report);
    if (streak === undefined) return;
    const { runs, message } = streak;
    if (streak.isNew) logger.warn("write conflicts in every run", { runs, ...streak.conflict });
    this.#options.events.record(object, { type: "Warning", reason: "WriteConflicts", message });
  }

  #requeue(key: string, object: ObjectOf<K>, report: RunReport, logger: Logger): void {
    switch (report.kind) {
      case "gone":
        this.#router.own.forget(object);
        return this.#forget(key);
      case "again":
        // The cache already has the latest version.
        return this.#queue.add(key, { kind: report.why === "conflict" ? "conflict" : "finalizer" });
      case "ran":
        this.#schedule(key, report.result, logger);
        // A failure is retried with backoff instead.
        if (report.requeueAfterMs === undefined || report.result.kind === "fail") return;
        return this.#queue.addAfter(key, report.requeueAfterMs, { kind: "requeue" });
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
        return this.#queue.addAfter(key, result.afterMs, { kind: "requeue" });
      case "terminal":
        logger.warn("reconcile failed permanently, waiting for a change", { err: describeResult(result) });
        return this.#queue.forget(key);
      case "fail": {
        // Not earlier than the server asked for.
        const minMs = Math.max(retryAfterOf(result.error) ?? 0, this.#options.cache.pauseLeftMs);
        const retryMs = this.#queue.addRateLimited(key, { kind: "retry" }, minMs);
        return logger.warn("reconcile failed", { err: describeResult(result), retryMs: Math.round(retryMs) });
      }
      default:
        return unreachable(result);
    }
  }

  #runLogger(key: ObjectKey): Logger {
    const { logger, plan, random } = this.#options;
    const reconcileId = randomString(random, 8, "0123456789abcdef");
    return logger.with({ kind: plan.kind.kind, namespace: key.namespace, name: key.name, reconcileId });
  }
}

/** Logs an error that a callback of the operator threw outside of a run. */
export function logDefect(logger: Logger, what: string, error: unknown): void {
  const thrown = toError(error);
  logger.error("operator callback failed", { what, err: thrown, stack: thrown.stack });
}

function failed(error: Error): RunReport {
  return { kind: "ran", result: fail(error), steps: [], conditions: [], writes: 0, conflicts: [] };
}

/** Returns the Event message. Equal for equal loops, so that Events are counted instead of duplicated. */
function hotLoopMessage({ field, other }: HotLoop): string {
  if (other === undefined) {
    return `${field} is written repeatedly although the spec is unchanged; check whether another client writes it too`;
  }
  return `${other} is written repeatedly although the spec is unchanged; check whether its step computes a different state in each run, or another client writes it too`;
}

/** The parts of an object that a run writes. */
function written(object: KubeObject & { readonly status?: unknown }): object {
  const { labels, annotations } = object.metadata;
  return { status: object.status, metadata: { labels, annotations } };
}
