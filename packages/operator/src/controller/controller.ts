import { formatKey, keyOf, parseKey, randomText, toError, unreachable } from "@levelset/core";
import type { AnyCustomKind, Clock, KubeObject, Logger, ObjectKey, ObjectOf, Random, Timer } from "@levelset/core";
import { Contention } from "../apply/index.ts";
import { changedPaths } from "../cache/index.ts";
import type { Cache } from "../cache/index.ts";
import { Discovery } from "../client/index.ts";
import { WorkQueue } from "../queue/index.ts";
import type { Job } from "../queue/index.ts";
import { describeResult, fail, isPaused, reconcile, RECONCILE_ANNOTATION } from "../step/index.ts";
import type { AnyResult, EventSink, Plan, RunReport, Tracer } from "../step/index.ts";
import { ActiveRun } from "./active-run.ts";
import { ConflictStreaks } from "./conflict-streaks.ts";
import { HOT_LOOP, HotLoopGuard } from "./hot-loop.ts";
import type { HotLoop, HotLoopLimits } from "./hot-loop.ts";
import { RunLog } from "./run-log.ts";
import type { RunRecord } from "./run-log.ts";
import { Sources } from "./sources.ts";
import type { Wake } from "./sources.ts";
import type { WatchRule } from "./watch-rule.ts";

/** Delays between tries of a failing object. */
const BACKOFF = { firstMs: 200, maxMs: 300_000 } as const;

/** Hears what a controller does. */
export interface ControllerListener {
  /** A run ended. */
  onRun?(record: RunRecord): void;
  /** An object is throttled. */
  onHotLoop?(key: ObjectKey, loop: HotLoop): void;
}

/** What a controller needs. */
export interface ControllerOptions<K extends AnyCustomKind> {
  readonly plan: Plan<K>;
  readonly cache: Cache;
  /** How our writes are signed. */
  readonly fieldManager: string;
  /** Watches beside those that follow from the steps. */
  readonly watches: readonly WatchRule<K>[];
  /** Only these namespaces. Absent: all. */
  readonly namespaces?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly events: EventSink;
  readonly tracer: Tracer;
  /** How many objects are reconciled at a time. One object is never reconciled twice at a time. */
  readonly concurrency: number;
  /** What the steps of a run may take together. Longer ones are aborted and count as failed. */
  readonly deadlineMs: number;
  readonly hotLoop?: HotLoopLimits;
  readonly listener: ControllerListener;
}

/** How a controller is doing. */
export interface ControllerHealth {
  readonly waiting: number;
  readonly delayed: number;
  readonly running: number;
  /** Since when the longest waiting key does. */
  readonly oldestAt: number | undefined;
}

/**
 * Runs the steps of a kind for every object that something happened to. The cache feeds the queue, workers take from it, and the
 * result of a run says when the next one is due. One failing object never touches another. Following begins at once; running waits
 * for `run`, so that a standby is warm when its turn comes.
 */
export class Controller<K extends AnyCustomKind> {
  readonly runs: RunLog = new RunLog();
  readonly #options: ControllerOptions<K>;
  readonly #queue: WorkQueue;
  readonly #sources: Sources<K>;
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
    this.#queue = new WorkQueue({ clock, random, backoff: BACKOFF, onRoom: () => this.#lookAtAll() });
    this.#discovery = new Discovery(cache.client(options.fieldManager));
    this.#sources = new Sources({
      plan,
      cache,
      clock,
      watches,
      namespaces,
      onWake: (wake) => this.#wake(wake),
      onGone: (key) => this.#forget(key),
      onDefect: (what, error) => logDefect(options.logger, what, error),
    });
  }

  /** Resolves once everything that it follows is here. */
  get synced(): Promise<unknown> {
    return this.#sources.synced;
  }

  get health(): ControllerHealth {
    const { depth, delayed, running, oldestAt } = this.#queue;
    return { waiting: depth, delayed, running, oldestAt };
  }

  /** Works until the signal aborts; resolves when the last run has ended. Running ones may go on for `graceMs`. */
  async run(stopping: AbortSignal, graceMs = 0): Promise<void> {
    const { signal, release } = this.#delayed(stopping, graceMs);
    try {
      await this.#workers(stopping, signal);
    } finally {
      release();
    }
  }

  /** A signal that aborts a while after another. */
  #delayed(stopping: AbortSignal, graceMs: number): { readonly signal: AbortSignal; readonly release: () => void } {
    if (graceMs === 0) return { signal: stopping, release: () => {} };
    const end = new AbortController();
    let timer: Timer | undefined;
    const onStop = (): void => {
      timer = this.#options.clock.after(graceMs, () => end.abort());
    };
    if (stopping.aborted) onStop();
    else stopping.addEventListener("abort", onStop, { once: true });
    const release = (): void => {
      timer?.cancel();
      stopping.removeEventListener("abort", onStop);
    };
    return { signal: end.signal, release };
  }

  async #workers(stopping: AbortSignal, signal: AbortSignal): Promise<void> {
    const stop = (): void => {
      this.#queue.close();
      this.#stopped.resolve();
    };
    stopping.addEventListener("abort", stop, { once: true });
    if (stopping.aborted) stop();
    await Promise.race([this.synced, this.#stopped.promise]);
    await Promise.all(Array.from({ length: this.#options.concurrency }, () => this.#worker(signal)));
    stopping.removeEventListener("abort", stop);
  }

  /** Follows nothing any more. */
  close(): void {
    this.#queue.close();
    this.#sources.close();
  }

  #wake(wake: Wake): void {
    const active = this.#active.get(wake.key);
    if (active === undefined) this.#enqueue(wake);
    else active.hold(wake);
  }

  #enqueue({ key, triggers, priority }: Wake): void {
    this.#queue.addAll(key, triggers, priority);
  }

  #forget(key: string): void {
    this.#queue.forget(key);
    this.#guard.reset(key);
    this.#streaks.forget(key);
  }

  #lookAtAll(): void {
    for (const object of this.#sources.own.list()) {
      this.#queue.add(formatKey(keyOf(object)), { kind: "overflow" }, "low");
    }
  }

  async #worker(signal: AbortSignal): Promise<void> {
    for (let job = await this.#queue.take(); job !== undefined; job = await this.#queue.take()) {
      const active = new ActiveRun();
      this.#active.set(job.key, active);
      try {
        // What we read must include our own last writes, also those that nobody answered.
        if (!this.#options.cache.isCertain) await Promise.race([this.#options.cache.certain(), this.#stopped.promise]);
        if (!signal.aborted) await this.#work(job, active, signal);
      } finally {
        this.#active.delete(job.key);
        for (const wake of active.foreign) this.#enqueue(wake);
        this.#queue.done(job.key);
      }
    }
  }

  async #work(job: Job, active: ActiveRun, signal: AbortSignal): Promise<void> {
    const key = parseKey(job.key);
    const object = this.#sources.own.get(key);
    if (object === undefined) return this.#forget(job.key);
    if (isPaused(object)) return;
    if (job.triggers.has("requested")) this.#forget(job.key);
    const delayMs = this.#guard.delayMs(job.key, object.metadata.generation);
    if (delayMs > 0) return this.#queue.postpone(job, delayMs, { kind: "throttled" });
    await this.#reconcile(job, object, active, signal);
  }

  async #reconcile(job: Job, object: ObjectOf<K>, active: ActiveRun, signal: AbortSignal): Promise<void> {
    const { clock, listener } = this.#options;
    const key = keyOf(object);
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
    this.#watchHeat(object, report, active);
    this.#watchConflicts(object, report, logger);
    this.#follow(job.key, object, report, logger);
  }

  async #steps(object: ObjectOf<K>, active: ActiveRun, logger: Logger, signal: AbortSignal): Promise<RunReport> {
    const { plan, cache, clock, events, tracer, fieldManager, deadlineMs } = this.#options;
    const tools = {
      discovery: this.#discovery,
      reader: this.#sources,
      // Read as an object of this kind.
      observe: (fresh: KubeObject) => this.#sources.own.observe(fresh as ObjectOf<K>),
      clock,
      events,
      tracer,
      contention: this.#contention,
      logger,
      signal,
      deadlineMs,
    };
    try {
      const client = cache.client(fieldManager, active);
      return await tracer.span(`reconcile ${plan.kind.kind}`, { ...keyOf(object) }, () =>
        reconcile(plan, object, { ...tools, client }),
      );
    } catch (error) {
      // Saving failed: what the steps found is lost with it, and the next run finds it again.
      return failed(toError(error));
    }
  }

  #watchHeat(object: ObjectOf<K>, report: RunReport, active: ActiveRun): void {
    if (report.kind !== "ran") return;
    const { logger, events, listener } = this.#options;
    const key = keyOf(object);
    const after = this.#sources.own.get(key) ?? object;
    const fields =
      report.writes === 0 ? [] : changedPaths(written(object), written(after)).map((path) => path.slice(1));
    const others = active.writtenBut(object.metadata.uid);
    const loop = this.#guard.ended(formatKey(key), object.metadata.generation, fields, others);
    if (loop === undefined) return;
    logger.warn("an object is written again and again, so it is slowed down", { ...key, ...loop });
    events.tell(object, { type: "Warning", reason: "HotLoop", message: inWords(loop) });
    listener.onHotLoop?.(key, loop);
  }

  #watchConflicts(object: ObjectOf<K>, report: RunReport, logger: Logger): void {
    const streak = this.#streaks.ended(formatKey(keyOf(object)), report);
    if (streak === undefined) return;
    const { runs, message } = streak;
    if (streak.isNew) logger.warn("write conflicts in every run", { runs, ...streak.conflict });
    this.#options.events.tell(object, { type: "Warning", reason: "WriteConflicts", message });
  }

  #follow(key: string, object: ObjectOf<K>, report: RunReport, logger: Logger): void {
    switch (report.kind) {
      case "gone":
        this.#sources.own.forget(object);
        return this.#forget(key);
      case "again":
        // The latest copy is in the cache.
        return this.#queue.add(key, { kind: report.why === "conflict" ? "conflict" : "finalizer" });
      case "ran":
        this.#schedule(key, report.result, logger);
        // A failure has its own, growing delay.
        if (report.againMs === undefined || report.result.kind === "fail") return;
        return this.#queue.addAfter(key, report.againMs, { kind: "requeue" });
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
        logger.warn("reconcile stopped until something changes", { error: describeResult(result) });
        return this.#queue.forget(key);
      case "fail": {
        const retryMs = this.#queue.addAfterFailure(key, { kind: "retry" });
        return logger.warn("reconcile failed", { error: describeResult(result), retryMs: Math.round(retryMs) });
      }
      default:
        return unreachable(result);
    }
  }

  #runLogger(key: ObjectKey): Logger {
    const { logger, plan, random } = this.#options;
    const reconcileId = randomText(random, 8, "0123456789abcdef");
    return logger.with({ kind: plan.kind.kind, namespace: key.namespace, name: key.name, reconcileId });
  }
}

/** Tells of a function of the operator's author that threw outside of a run. */
export function logDefect(logger: Logger, what: string, error: unknown): void {
  const thrown = toError(error);
  logger.error("the operator has a defect", { what, error: thrown, stack: thrown.stack });
}

function failed(error: Error): RunReport {
  return { kind: "ran", result: fail(error), steps: [], conditions: [], writes: 0, conflicts: [] };
}

/** The same words each time, so that events are counted instead of piled up. */
function inWords({ field, other }: HotLoop): string {
  if (other === undefined) {
    return `${field} is written again and again though the spec did not change; something else may be writing it too`;
  }
  return `${other} is written again and again though the spec did not change; its step may want something else each time, or something else may be writing it too`;
}

/** The parts of an object that a run writes. */
function written(object: KubeObject & { readonly status?: unknown }): object {
  const { labels, annotations } = object.metadata;
  return { status: object.status, metadata: { labels, annotations } };
}
