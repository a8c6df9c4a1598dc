import {
  badness,
  cloneJson,
  formatKey,
  isProgrammingError,
  keyOf,
  kindId,
  resetFindings,
  setFinding,
} from "@levelset/core";
import type { AnyCustomKind, Finding, Kind, KubeObject, Logger, ObjectKey, ObjectOf } from "@levelset/core";
import type { Contest, ObjectContention } from "../apply/index.ts";
import type { Budget } from "./budget.ts";
import { CONTESTED, contestResult } from "./contest.ts";
import { conditionType, conditionTypes } from "./finding.ts";
import type { Followed, FollowRule } from "./follow-rule.ts";
import type { MetadataUse } from "./metadata-use.ts";
import { refTo } from "./object-ref.ts";
import type { ObjectRef } from "./object-ref.ts";
import type { Plan } from "./plan.ts";
import { Protection } from "./protection.ts";
import type { Draft, OutOf, Req, Source } from "./req.ts";
import { checkResult, combine, describeResult, fail } from "./result.ts";
import type { AnyResult } from "./result.ts";
import type { RunTools } from "./run-tools.ts";
import type { Step } from "./step.ts";

/** The phases of a step. */
export type Phase = "do" | "cleanup" | "post";

/** What one phase of one step did, for the records. */
export interface StepRecord {
  readonly step: string;
  /** The type of the condition that it shows up under. */
  readonly condition: string;
  readonly phase: Phase;
  readonly result: AnyResult;
  readonly durationMs: number;
  /** Whether it failed by a programming error, such as a TypeError. */
  readonly isDefect: boolean;
}

/** A step that writes an object which another client writes too. */
export interface StepContest {
  /** The type of the condition that it shows up under. */
  readonly condition: string;
  readonly result: AnyResult;
  /** Whether one more write was undone, rather than that the next one waits. */
  readonly isNew: boolean;
}

/** A phase that keeps the process from doing anything else for longer than this is reported. */
const BLOCKED_MS = 1_000;

/**
 * The state of one run: the request that steps see, the conditions as they come in, and a record of every phase. Lives as long as
 * the run and no longer.
 */
export class Run<K extends AnyCustomKind> {
  readonly plan: Plan<K>;
  readonly object: ObjectOf<K>;
  readonly key: ObjectKey;
  readonly records: StepRecord[] = [];
  /** The new status, as far as steps write it. */
  readonly status: Draft<Record<string, unknown>>;
  /** The new labels and annotations, as far as steps write them. */
  readonly draft: Req<K>["metadata"];
  /** The object and the draft as steps see them: what they use of them is recorded. */
  readonly #shown: Pick<Req<K>, "object" | "metadata">;
  readonly #use: MetadataUse;
  readonly #tools: RunTools;
  readonly #protection: Protection<K>;
  readonly #values = new Map<Source<unknown>, unknown>();
  /** Which step keeps which object. */
  readonly #claims = new Map<string, string>();
  readonly #contests: (StepContest & { readonly step: Step<K> })[] = [];
  #findings: readonly Finding[];
  #asides: readonly Finding[] = [];
  #againMs = Number.POSITIVE_INFINITY;

  constructor(plan: Plan<K>, object: ObjectOf<K>, use: MetadataUse, tools: RunTools) {
    this.plan = plan;
    this.object = object;
    this.key = keyOf(object);
    this.#use = use;
    this.#tools = tools;
    this.#protection = new Protection(plan, object, tools);
    this.#findings = resetFindings(plan.conditions);
    const before: Readonly<Record<string, unknown>> = { ...object.status };
    const kept = plan.keeps.filter((name) => before[name] !== undefined);
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
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** When another run is asked for, however this one ends; undefined when none is. */
  get againMs(): number | undefined {
    return this.#againMs === Number.POSITIVE_INFINITY ? undefined : this.#againMs;
  }

  /** The conditions so far that only inform. */
  get asides(): readonly Finding[] {
    return this.#asides;
  }

  /** The contested objects so far. The steps that write them went on; the object is not Ready all the same. */
  get contests(): readonly StepContest[] {
    return this.#contests;
  }

  /** Sets a condition of this run. */
  set(finding: Finding): void {
    this.#findings = setFinding(this.#findings, finding);
  }

  /** Sets a condition unless the run already knows something worse under that type. */
  setIfWorse(finding: Finding): void {
    const present = this.#findings.find((other) => other.type === finding.type);
    if (present === undefined || badness(finding) < badness(present)) this.set(finding);
  }

  /** Runs one phase of one step. A throw is a failure like any other; a programming error is also logged with its stack. */
  async phase(step: Step<K>, phase: Phase, budget: Budget): Promise<AnyResult> {
    const isIdle = phase === "post" || step.protects === undefined;
    if (step[phase] === undefined && isIdle) return { kind: "ok", value: undefined };
    const { clock, tracer } = this.#tools;
    const logger = this.#tools.logger.with({ step: step.name });
    const startedAt = clock.monotonic();
    let result: AnyResult;
    let isDefect = false;
    try {
      result = await tracer.span(`${phase} ${step.name}`, {}, () =>
        budget.within(this.#work(step, phase, budget.signal, logger)),
      );
    } catch (error) {
      isDefect = isProgrammingError(error);
      if (isDefect) logger.error("a step has a defect", { phase, error, stack: stackOf(error) });
      result = fail(error);
    }
    const condition = conditionType(step);
    const contests = this.#contests.filter((contest) => contest.step === step).map((contest) => contest.result);
    const recorded = contests.length === 0 ? result : combine([result, ...contests]);
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

  /** Releases what an earlier release of the operator protected, after all cleanups. */
  async releaseRest(budget: Budget): Promise<AnyResult> {
    try {
      return await budget.within(this.#protection.releaseRest(budget.signal));
    } catch (error) {
      return fail(error);
    }
  }

  /** What the step does itself, and what follows from what it protects. */
  async #work(step: Step<K>, phase: Phase, signal: AbortSignal, logger: Logger): Promise<AnyResult> {
    const own = await this.#call(step, phase, signal, logger);
    if (phase === "do" && own.kind === "ok") this.#values.set(step, own.value);
    if (phase === "post" || step.protects === undefined) return own;
    const contention = (kind: Kind, key: ObjectKey): ObjectContention =>
      this.#contention(step, kind, key, undefined, " protection");
    if (phase === "do") return combine([await this.#protection.hold(step, signal, contention), own]);
    return own.kind === "ok" ? this.#protection.release(step, signal) : own;
  }

  async #call(step: Step<K>, phase: Phase, signal: AbortSignal, logger: Logger): Promise<AnyResult> {
    const run = step[phase];
    if (run === undefined) return { kind: "ok", value: undefined };
    const { clock, events } = this.#tools;
    const startedAt = clock.monotonic();
    const answer = run(this.#req(step, signal, logger));
    const blockedMs = clock.monotonic() - startedAt;
    if (blockedMs > BLOCKED_MS) {
      logger.warn("a step blocked the process", { phase, blockedMs });
      const message = `${phase} of step ${step.name} let nothing else run for ${blockedMs} ms`;
      events.tell(this.object, { type: "Warning", reason: "Blocked", message });
    }
    return checkResult(await answer, `${phase} of step ${step.name}`);
  }

  #req(step: Step<K>, signal: AbortSignal, logger: Logger): Req<K> {
    const { object, key } = this;
    const { client, discovery, reader, events, clock } = this.#tools;
    return {
      ...this.#shown,
      name: key.name,
      namespace: key.namespace,
      kind: this.plan.kind,
      spec: object.spec,
      // The draft is an empty object of the declared shape; what steps put there was checked by the compiler.
      status: this.status as Req<K>["status"],
      client,
      discovery,
      get: (kind, otherKey) => this.#noted(reader.get(kind, otherKey)),
      owned: (kind) => reader.owned(kind, object),
      select: (kind, labels) => reader.select(kind, key.namespace, labels).map((found) => this.#noted(found)),
      claim: (kind, otherKey) => this.#claim(step, kind, otherKey),
      contention: (kind, otherKey, desired) => this.#contention(step, kind, otherKey, desired),
      follow: (rule, kinds) => this.#follow(step, rule, kinds, signal),
      condition: (finding) => this.#condition(step, finding),
      event: (notice) => events.tell(object, notice),
      lookAgain: (afterMs) => this.#lookAgain(step, afterMs),
      clock,
      signal,
      logger,
      from: (other) => this.#from(step, other),
    };
  }

  /** A copy in the cache. The object of the run itself is not shown by a view, so all of it counts as used. */
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

  /** A new spec is a new desired state, whatever it changes. */
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
    events.tell(this.object, { type: "Warning", reason: CONTESTED, message });
  }

  async #follow(step: Step<K>, rule: FollowRule<K>, kinds: readonly Kind[], signal: AbortSignal): Promise<Followed> {
    if (step.follows?.includes(rule) !== true)
      throw new TypeError(`step ${step.name} follows what it does not declare`);
    const followed = await this.#tools.reader.follow(this.key, rule, kinds);
    signal.throwIfAborted();
    return followed;
  }

  #condition(step: Step<K>, finding: Finding): void {
    if (step.asides?.includes(finding.type) === true) {
      this.#asides = setFinding(this.#asides, finding);
      return;
    }
    if (!conditionTypes(step).includes(finding.type)) {
      throw new TypeError(`step ${step.name} sets condition ${finding.type}, which it does not declare`);
    }
    this.set(finding);
  }

  #lookAgain(step: Step<K>, afterMs: number): void {
    if (!(afterMs > 0)) throw new TypeError(`step ${step.name} asks for another look after ${afterMs} ms`);
    this.#againMs = Math.min(this.#againMs, afterMs);
  }

  #from<S extends Source<unknown>>(step: Step<K>, other: S): OutOf<S> {
    if (!this.#values.has(other)) {
      throw new TypeError(
        `step ${step.name} reads what step ${other.name} hands over, but that did not succeed before it in this run`,
      );
    }
    // Only the value that this very step returned is stored under it.
    return this.#values.get(other) as OutOf<S>;
  }
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
