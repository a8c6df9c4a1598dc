import {
  combineConditionUpdates,
  isProgrammingError,
  initialConditionUpdates,
  setConditionUpdate,
} from "@levelset/core/internal";
import { cloneJson, formatKey, kindId, objectKeyOf } from "@levelset/core";
import type { AnyCustomKind, ConditionUpdate, Kind, KubeObject, Logger, ObjectKey, ObjectOf } from "@levelset/core";
import type { LinkedAbortController } from "@levelset/core/internal";
import type { Contest, ObjectContention } from "../apply/index.ts";
import { CONTESTED, contestResult } from "./step/contest.ts";
import { conditionType, conditionTypes } from "./step/condition-update.ts";
import type { WatchedObjects, DynamicWatch } from "./step/dynamic-watch.ts";
import type { MetadataUse } from "./metadata-use.ts";
import { CLEANUP_SKIPPED, FORCE_CLEANUP_ANNOTATION } from "./forced-cleanup.ts";
import { interceptionOf } from "./external-interceptor.ts";
import { hasOrphanFinalizer } from "./orphaning.ts";
import { refTo } from "./step/object-ref.ts";
import type { ObjectRef } from "./step/object-ref.ts";
import type { StepPlan } from "./step/step-plan.ts";
import { ChildProtection } from "./child-protection.ts";
import type { Draft, OutputOf, Req, OutputStep } from "./step/req.ts";
import { checkResult, combineResults, describeResult, fail, ok } from "./step/result.ts";
import type { AnyResult } from "./step/result.ts";
import type { RunDependencies } from "./run-dependencies.ts";
import type { StepPhase } from "./step-scope.ts";
import type { Step } from "./step/step.ts";
import { thrownCondition } from "./step/undeclared-kind.ts";

/** Record of one phase of one step. */
export interface StepRecord {
  readonly step: string;
  /** The type of the condition that reports it. */
  readonly condition: string;
  readonly phase: StepPhase;
  readonly result: AnyResult;
  readonly durationMs: number;
  /** Whether it failed with a programming error, such as a TypeError. */
  readonly isDefect: boolean;
}

/** A contested object, and the step that writes it. */
export interface StepContest {
  /** The type of the condition that reports it. */
  readonly condition: string;
  readonly result: AnyResult;
  /** True if another write was undone; false if the next write is only delayed. */
  readonly isNew: boolean;
}

/** Phases that block the event loop for longer than this are reported. */
const BLOCKED_MS = 1_000;

/**
 * The state of one run: the request that steps receive, the conditions so far, and a record of every phase. Each run
 * has its own instance.
 */
export class ReconcileRun<K extends AnyCustomKind> {
  readonly plan: StepPlan<K>;
  readonly object: ObjectOf<K>;
  readonly key: ObjectKey;
  readonly records: StepRecord[] = [];
  /** The new status as written by the steps so far. */
  readonly status: Draft<Record<string, unknown>>;
  /** The new labels and annotations as written by the steps so far. */
  readonly draft: Req<K>["metadata"];
  /** Views of the object and the draft that record what steps use. */
  readonly #shown: Pick<Req<K>, "object" | "metadata">;
  readonly #use: MetadataUse;
  readonly #tools: RunDependencies;
  readonly #protection: ChildProtection<K>;
  readonly #isOrphaning: boolean;
  readonly #values = new Map<OutputStep<unknown>, unknown>();
  /** The step that manages each claimed object. */
  readonly #claims = new Map<string, string>();
  readonly #contests: (StepContest & { readonly step: Step<K> })[] = [];
  #updates: readonly ConditionUpdate[];
  #informational: readonly ConditionUpdate[] = [];
  #requeueAfterMs = Number.POSITIVE_INFINITY;

  constructor(plan: StepPlan<K>, object: ObjectOf<K>, use: MetadataUse, tools: RunDependencies) {
    this.plan = plan;
    this.object = object;
    this.key = objectKeyOf(object);
    this.#use = use;
    this.#tools = tools;
    this.#isOrphaning = hasOrphanFinalizer(object) || tools.reader.isOrphaning(object);
    this.#protection = new ChildProtection(plan, object, tools, this.#isOrphaning);
    this.#updates = initialConditionUpdates(plan.conditions);
    const before: Readonly<Record<string, unknown>> = { ...object.status };
    const kept = plan.preserveStatus.filter((name) => before[name] !== undefined);
    this.status = Object.fromEntries(kept.map((name) => [name, cloneJson(before[name])]));
    this.draft = { labels: { ...object.metadata.labels }, annotations: { ...object.metadata.annotations } };
    const { labels, annotations } = this.draft;
    const metadata = { labels: use.draft("labels", labels), annotations: use.draft("annotations", annotations) };
    this.#shown = { object: use.tracked(object), metadata };
  }

  /** The steps, in order. */
  get steps(): readonly Step<K>[] {
    return this.plan.steps;
  }

  /** The conditions so far, in step order. */
  get conditionUpdates(): readonly ConditionUpdate[] {
    return this.#updates;
  }

  /** The delay until the next requested run, independent of this run's result; undefined if none is requested. */
  get requeueAfterMs(): number | undefined {
    return this.#requeueAfterMs === Number.POSITIVE_INFINITY ? undefined : this.#requeueAfterMs;
  }

  /** The informational conditions so far. */
  get informational(): readonly ConditionUpdate[] {
    return this.#informational;
  }

  /** The contested objects so far. They do not stop their steps, but the object is not Ready. */
  get contests(): readonly StepContest[] {
    return this.#contests;
  }

  /**
   * Sets a condition of this run. A False without severity is stored with severity Error: readers cannot distinguish it
   * from a condition of another project, which has no severity and means Progressing.
   */
  setCondition(update: ConditionUpdate): void {
    const isFatal = update.status === "False" && update.severity === undefined;
    this.#updates = setConditionUpdate(this.#updates, isFatal ? { ...update, severity: "Error" } : update);
  }

  /** Adds another result to a condition: the worse one counts, and of equally bad ones both messages are shown. */
  addToCondition(update: ConditionUpdate): void {
    const present = this.#updates.find((other) => other.type === update.type);
    this.setCondition(present === undefined ? update : combineConditionUpdates(present, update));
  }

  /**
   * Runs one phase of one step. Never rejects: a thrown error becomes `fail`; programming errors are also logged with
   * their stack.
   */
  async runPhase(step: Step<K>, phase: StepPhase, budget: LinkedAbortController): Promise<AnyResult> {
    const isIdle = phase === "post" || step.protects === undefined;
    if (step[phase] === undefined && isIdle) return { kind: "ok", value: undefined };
    const { clock, tracer } = this.#tools;
    const logger = this.#tools.logger.with({ step: step.name });
    const startedAt = clock.monotonic();
    let result: AnyResult;
    let isDefect = false;
    try {
      result = await tracer.span(`${phase} ${step.name}`, {}, () =>
        budget.race(this.#work(step, phase, budget.signal, logger)),
      );
    } catch (error) {
      isDefect = isProgrammingError(error);
      if (isDefect) logger.error("step failed with a programming error", { phase, err: error, stack: stackOf(error) });
      result = fail(error, thrownCondition(error));
    }
    const condition = conditionType(step);
    const contests = this.#contests.filter((contest) => contest.step === step).map((contest) => contest.result);
    const recorded = contests.length === 0 ? result : combineResults([result, ...contests]);
    this.records.push({
      step: step.name,
      condition,
      phase,
      result: recorded,
      durationMs: clock.monotonic() - startedAt,
      isDefect,
    });
    return result;
  }

  /** Skips the cleanup of a step at the request of a person, and releases the children that it protects. */
  async skipCleanup(step: Step<K>, budget: LinkedAbortController): Promise<AnyResult> {
    const message = `cleanup of step ${step.name} is skipped at the request of the annotation ${FORCE_CLEANUP_ANNOTATION}: what it manages may be left behind`;
    this.#tools.logger.warn("cleanup skipped by annotation", { step: step.name, message });
    this.#tools.events.record(this.object, { type: "Warning", reason: CLEANUP_SKIPPED, message });
    return this.runPhase({ ...step, cleanup: () => ok() }, "cleanup", budget);
  }

  /** Requests another run within `afterMs`, even if this run succeeds. */
  requestRun(afterMs: number): void {
    this.#requeueAfterMs = Math.min(this.#requeueAfterMs, afterMs);
  }

  /** Removes finalizers that an earlier version of the operator put on children. Runs after all cleanups. */
  async releaseRest(budget: LinkedAbortController): Promise<AnyResult> {
    try {
      return await budget.race(this.#protection.releaseRest(budget.signal));
    } catch (error) {
      return fail(error);
    }
  }

  /** Runs the step's own phase and the protection of its children. */
  async #work(step: Step<K>, phase: StepPhase, signal: AbortSignal, logger: Logger): Promise<AnyResult> {
    const own = await this.#call(step, phase, signal, logger);
    if (phase === "do" && own.kind === "ok") this.#values.set(step, own.value);
    if (phase === "post" || step.protects === undefined) return own;
    const contention = (kind: Kind, key: ObjectKey): ObjectContention =>
      this.#contention(step, kind, key, undefined, " protection");
    if (phase === "do") return combineResults([await this.#protection.addFinalizers(step, signal, contention), own]);
    return own.kind === "ok" ? this.#protection.removeFinalizers(step, signal) : own;
  }

  async #call(step: Step<K>, phase: StepPhase, signal: AbortSignal, logger: Logger): Promise<AnyResult> {
    const run = step[phase];
    if (run === undefined) return { kind: "ok", value: undefined };
    const { clock, events, stepScope, assertLeading } = this.#tools;
    const { object } = this;
    assertLeading?.();
    const startedAt = clock.monotonic();
    const call = (): ReturnType<typeof run> => run(this.#req(step, signal, logger));
    const result = stepScope === undefined ? call() : stepScope({ step: step.name, phase, object, logger }, call);
    const blockedMs = clock.monotonic() - startedAt;
    if (blockedMs > BLOCKED_MS) {
      logger.warn("step blocked the event loop", { phase, blockedMs });
      const message = `${phase} of step ${step.name} blocked the event loop for ${blockedMs} ms`;
      events.record(this.object, { type: "Warning", reason: "Blocked", message });
    }
    return checkResult(await result, `${phase} of step ${step.name}`);
  }

  #req(step: Step<K>, signal: AbortSignal, logger: Logger): Req<K> {
    const { object, key } = this;
    const { client, discovery, reader, events, clock, applyCache } = this.#tools;
    return {
      ...interceptionOf(this.#tools, object),
      ...this.#shown,
      name: key.name,
      namespace: key.namespace,
      kind: this.plan.kind,
      spec: object.spec,
      // The draft starts as an empty object; the compiler checks what steps write to it.
      status: this.status as Req<K>["status"],
      client,
      discovery,
      get: (kind, otherKey) => this.#noted(reader.get(kind, otherKey)),
      owned: (kind) => reader.owned(kind, object),
      stripped: (kind) => reader.stripped(kind, object),
      isOrphaning: this.#isOrphaning,
      select: (kind, labels) => reader.select(kind, key.namespace, labels).map((found) => this.#noted(found)),
      claim: (kind, otherKey) => this.#claim(step, kind, otherKey),
      contention: (kind, otherKey, desired) => this.#contention(step, kind, otherKey, desired),
      applyCache,
      watch: (rule, kinds) => this.#watch(step, rule, kinds, signal),
      condition: (update) => this.#condition(step, update),
      event: (notice) => events.record(object, notice),
      requeueAfter: (afterMs) => this.#requeue(step, afterMs),
      clock,
      signal,
      logger,
      from: (other) => this.#from(step, other),
    };
  }

  /**
   * Returns a cached object. The run's own object read from the cache has no recording view, so all its metadata counts
   * as used.
   */
  #noted<O extends KubeObject | undefined>(copy: O): O {
    if (copy?.metadata.uid === this.object.metadata.uid) this.#use.all();
    return copy;
  }

  #claim(step: Step<K>, kind: Kind, key: ObjectKey): string | undefined {
    const id = `${kindId(kind)} ${formatKey(key)}`;
    const holder = this.#claims.get(id) ?? step.name;
    this.#claims.set(id, holder);
    return holder === step.name ? undefined : holder;
  }

  /** Includes the generation in the desired state: any spec change starts a new one. */
  #contention(step: Step<K>, kind: Kind, key: ObjectKey, desired: unknown, part = ""): ObjectContention {
    const { uid, generation = 0 } = this.object.metadata;
    const target = { writer: `${uid}${part}`, kind, key, desired: [generation, desired ?? null] };
    return this.#tools.contention.of(target, (contest) => this.#contested(step, refTo(kind, key), contest));
  }

  #contested(step: Step<K>, ref: ObjectRef, contest: Contest): void {
    const result = contestResult(ref, contest);
    const { isNew } = contest;
    this.#contests.push({ step, condition: step.contests ?? conditionType(step), result, isNew });
    if (!isNew) return;
    const { events, logger } = this.#tools;
    const message = describeResult(result);
    logger.warn("object is contested, its writes are delayed", { step: step.name, object: ref, message });
    events.record(this.object, { type: "Warning", reason: CONTESTED, message });
  }

  async #watch(
    step: Step<K>,
    rule: DynamicWatch<K>,
    kinds: readonly Kind[],
    signal: AbortSignal,
  ): Promise<WatchedObjects> {
    if (step.dynamicWatches?.includes(rule) !== true)
      throw new TypeError(
        `step ${step.name} calls req.watch with a rule that it does not declare under dynamicWatches`,
      );
    const watched = await this.#tools.reader.watch(this.key, rule, kinds);
    signal.throwIfAborted();
    return watched;
  }

  #condition(step: Step<K>, update: ConditionUpdate): void {
    if (step.informational?.includes(update.type) === true) {
      this.#informational = setConditionUpdate(this.#informational, update);
      return;
    }
    if (!conditionTypes(step).includes(update.type)) {
      throw new TypeError(`step ${step.name} sets condition ${update.type}, which it does not declare`);
    }
    this.setCondition(update);
  }

  #requeue(step: Step<K>, afterMs: number): void {
    if (!(afterMs > 0))
      throw new TypeError(
        `step ${step.name} calls req.requeueAfter with ${afterMs} ms; the delay must be greater than 0`,
      );
    this.requestRun(afterMs);
  }

  #from<S extends OutputStep<unknown>>(step: Step<K>, other: S): OutputOf<S> {
    if (!this.#values.has(other)) {
      throw new TypeError(
        `step ${step.name} reads the output of step ${other.name}, which has not succeeded in this run`,
      );
    }
    // The map stores each step's own output under that step.
    return this.#values.get(other) as OutputOf<S>;
  }
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
