import { controllerOf, DeclarationError, hasFinalizer, isDeleting, hashJson, Job, objectKeyOf } from "@levelset/core";
import { deepEqual, jobReadiness, unreachable } from "@levelset/core/internal";
import type { AnyCustomKind, KubeObject, NewOf, ObjectOf } from "@levelset/core";
import { describeRef, ok, refOf, requeueAfter, step, terminal, wait } from "../../engine/index.ts";
import type { Req, Result, OutputStep, Step } from "../../engine/index.ts";
import { creatingStepOf } from "../child/child-manifest.ts";
import { jobFinalizerOf, isWorthProtecting, jobManifest, protectionName, jobRecordOf } from "./job-child.ts";
import type { JobObject } from "./job-child.ts";
import { decideJob, dependsOnStart } from "./job-decision.ts";
import type { JobDecision } from "./job-decision.ts";
import type { JobRecord, JobRecordField } from "./job-record.ts";
import { removeJobFinalizer, deleteJob, startJob } from "./job-requests.ts";
import { JOB_START_RULES, readJobStart } from "./job-start.ts";
import type { JobStart } from "./job-start.ts";
import type { ChildReq } from "../child/child-req.ts";
import { endCleanup, isNamespaceTerminating } from "../namespace-termination.ts";
import type { OnNamespaceTermination } from "../namespace-termination.ts";

/** Options of {@link job}. */
export interface JobOptions<K extends AnyCustomKind, Uses extends readonly OutputStep<unknown>[]> {
  readonly condition?: string;
  readonly uses?: Uses;
  /**
   * Returns the desired Job, in the object's namespace; undefined if none should run. Must be a pure function of the
   * object and the values that it reads: it is called in every run.
   */
  readonly desired: (req: Req<K, Uses[number]>) => NewOf<typeof Job> | undefined;
  /**
   * Returns the value that the Job runs once for; when it changes, the Job is run again. Default: the pod template
   * alone.
   */
  readonly hash?: (req: Req<K, Uses[number]>) => unknown;
  /** Status field that records the result of the last Job. Declare it as `jobRecord.optional()`. */
  readonly statusField: JobRecordField<K>;
  /**
   * Whether the Job runs while the object exists, or on its deletion, before the cleanup of earlier steps. Default: do.
   */
  readonly phase?: "do" | "cleanup";
  /**
   * True if the Job must not be deleted while the object exists: a deletion by another client is held and reported
   * while the Job runs and after it has completed. Not for `phase: "cleanup"`. Default: false.
   */
  readonly protect?: boolean;
  /**
   * Whether a result is valid forever, or the Job is run again when it is older than `refreshMs`. Default: never again.
   */
  readonly rerun?: "never" | { readonly refreshMs: number };
  /**
   * For `phase: "cleanup"`: whether to skip the Job, with a Warning, or to block the deletion if the namespace is being
   * deleted, where no Job can be created. Default: skip.
   */
  readonly onNamespaceTermination?: OnNamespaceTermination;
  /** Time limit of the cleanup, counted from the deletion of the object: see `deadlineMs` of a step. */
  readonly deadlineMs?: number;
}

/**
 * Runs a Job once for each hash, by default of its pod template, and is ok when it has completed. While it runs the
 * condition is False/Info; when it has failed, False/Error with the Job's own reason, such as BackoffLimitExceeded.
 *
 * - A hash that completed is never run twice: not after a restart, not after the Job was deleted by a person or by its
 *   TTL, not after a crash at any request. The Job has a finalizer until the status records its result, and is created
 *   only after a read from the server shows that the status has no result.
 * - Two Jobs never run at a time: all Jobs of the step have the name that `desired` returns. When the hash changes, a
 *   running Job completes first; then it is deleted and the next one created. A Job of which no container has started
 *   within a minute, as its pods show, is deleted at once. Without the right to list pods it stays until a person deletes
 *   it. Other changes of the Job take effect with the next one.
 * - A failed Job stays for inspection, and is not retried before the hash changes or the Job is deleted. If it has a
 *   TTL, the status records the failure instead, and only another hash (or clearing the status field) leads to a retry.
 * - Only the last run counts: returning to an earlier hash runs the Job again.
 * - A Job that another client deletes while it runs is run again, after its pods are gone. A protected one stays, and so
 *   do its pods. Kubernetes does not complete a Job that is being deleted: the condition is False/Error/ChildDeleted
 *   until the hash changes or the object is deleted.
 * - A protected Job that has completed stays until the hash changes or the object is deleted. One with a TTL is released
 *   once its result is recorded, and one that failed may be deleted to request a retry.
 * - Before removing or renaming the step, let `desired` return undefined in one release: a Job that has not ended keeps
 *   its finalizer.
 */
export function job<K extends AnyCustomKind, const Uses extends readonly OutputStep<unknown>[] = readonly []>(
  kind: K,
  name: string,
  options: JobOptions<K, Uses>,
): Step<K, JobRecord | undefined> {
  const { condition, uses, statusField, phase = "do", protect = false, deadlineMs } = options;
  checkOptions(name, options);
  const runs = new JobRuns(name, options);
  // The engine calls this only for children of the declared kind.
  const isProtected = (made: KubeObject): boolean =>
    creatingStepOf(made) === name && isWorthProtecting(made as JobObject);
  return step<K, JobRecord | undefined, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    preserveStatus: [statusField],
    rbac: JOB_START_RULES,
    ...(protect ? { protects: [Job], isProtected } : { owns: [Job] }),
    ...(phase === "do"
      ? { do: (req) => runs.advance(req), cleanup: (req) => stop(req, name) }
      : { cleanup: (req) => runs.advance(req) }),
  });
}

function checkOptions<K extends AnyCustomKind, Uses extends readonly OutputStep<unknown>[]>(
  name: string,
  {
    uses = [],
    phase,
    protect = false,
    rerun = "never",
  }: Omit<JobOptions<K, Uses>, "uses"> & { readonly uses?: readonly unknown[] },
): void {
  const problem = (text: string): DeclarationError => new DeclarationError(`step ${name}: ${text}`);
  if (phase === "cleanup" && uses.length > 0) throw problem("steps have no outputs on deletion: leave out uses");
  if (phase === "cleanup" && protect) throw problem("a Job on deletion is deleted with its object: leave out protect");
  if (rerun === "never") return;
  if (phase === "cleanup") throw problem("a Job on deletion runs once: leave out rerun");
  if (!(rerun.refreshMs > 0))
    throw problem(`refreshMs must be a number of milliseconds above 0, not ${rerun.refreshMs}`);
}

/**
 * On deletion: stops the running Jobs of a step, and releases Jobs that have ended or whose step no longer exists. With
 * orphan propagation running Jobs are released too.
 */
async function stop(req: ChildReq, name: string): Promise<Result<undefined>> {
  const { uid } = req.object.metadata;
  // Annotated Jobs of other steps without owner reference belong to steps that run on deletion. For a remote owner all
  // Jobs are annotated.
  const isToStop = (each: JobObject): boolean => creatingStepOf(each) === name || controllerOf(each)?.uid === uid;
  for (const owned of req.owned(Job).filter(isToStop)) {
    const isOwn = creatingStepOf(owned) === name;
    const mustEnd = isOwn && !req.isOrphaning && jobRecordOf(owned) === undefined;
    // A Job that another step protects is released by that step.
    const held = [jobFinalizerOf(req.object), ...(isOwn ? [protectionName(req.object)] : [])];
    const result = await (mustEnd ? deleteJob(req, owned) : removeJobFinalizer(req, owned, held));
    if (result.kind !== "ok") return result;
  }
  return ok();
}

function jobsOf(req: ChildReq, step: string): readonly JobObject[] {
  return req.owned(Job).filter((made) => creatingStepOf(made) === step);
}

/** Delay before a run that only waits for the status to be saved. */
const SOON_MS = 1;

/** Reconciles the Job of one step. Stateless between runs. */
class JobRuns<K extends AnyCustomKind, Uses extends readonly OutputStep<unknown>[]> {
  readonly #name: string;
  readonly #options: JobOptions<K, Uses>;
  readonly #isCleanup: boolean;
  readonly #protect: boolean;
  readonly #refreshMs: number | undefined;

  constructor(name: string, options: JobOptions<K, Uses>) {
    const { phase, protect = false, rerun = "never" } = options;
    this.#name = name;
    this.#options = options;
    this.#isCleanup = phase === "cleanup";
    this.#protect = protect;
    this.#refreshMs = rerun === "never" ? undefined : rerun.refreshMs;
  }

  async advance(req: Req<K, Uses[number]>): Promise<Result<JobRecord | undefined>> {
    const desired = this.#options.desired(req);
    const hash = desired === undefined ? undefined : this.#hashOf(req, desired);
    const saved = this.#savedIn(req.object);
    const [present] = jobsOf(req, this.#name);
    const isProtected = this.#protect && present !== undefined && hasFinalizer(present, protectionName(req.object));
    const view = { hash, saved, job: present, isProtected, refreshMs: this.#refreshMs, now: req.clock.now() };
    const start = present !== undefined && dependsOnStart(view) ? await readJobStart(req, present) : undefined;
    const decision = decideJob({ ...view, start });
    switch (decision.kind) {
      case "none":
        return desired === undefined || hash === undefined ? ok() : this.#start(req, desired, hash);
      case "running":
        req.contention(Job, objectKeyOf(decision.job), hash).seen();
        this.#remember(req, undefined);
        if (decision.startsWithinMs !== undefined) req.requeueAfter(decision.startsWithinMs);
        return running(decision, start);
      case "record":
        if (decision.record !== undefined) forgetContention(req, decision.job);
        this.#remember(req, decision.record);
        return requeueAfter(`${describeRef(refOf(decision.job))} has ended`, SOON_MS, { on: [refOf(decision.job)] });
      case "delete": {
        // A Job that is already being deleted may be deleted by another client; this one is deleted by us.
        if (!isDeleting(decision.job)) forgetContention(req, decision.job);
        const removed = await deleteJob(req, decision.job);
        return removed.kind === "ok" ? this.advance(req) : removed;
      }
      case "ended":
        return this.#ended(req, decision);
      default:
        return unreachable(decision);
    }
  }

  async #start(req: Req<K, Uses[number]>, desired: NewOf<typeof Job>, hash: string): Promise<Result<undefined>> {
    // A Job on deletion has an annotation instead of an owner reference: with foreground deletion the garbage collector
    // would delete it at once (docs: Garbage Collection).
    const manifest = jobManifest(req.object, desired, {
      step: this.#name,
      owned: !this.#isCleanup,
      protect: this.#protect,
      hash,
    });
    if (manifest.kind === "bad") return terminal(manifest.problem);
    const saved = this.#savedIn(req.object);
    const contention = req.contention(Job, manifest.key, hash);
    try {
      const started = await startJob(req, manifest, (live) => deepEqual(this.#savedIn(live), saved), contention);
      if (started.kind === "wait") this.#remember(req, undefined);
      return started;
    } catch (error) {
      if (!this.#isCleanup || !isNamespaceTerminating(error)) throw error;
      const { onNamespaceTermination = "skip" } = this.#options;
      return endCleanup(req, this.#name, onNamespaceTermination, `job/${manifest.key.name} cannot be created`);
    }
  }

  async #ended(
    req: Req<K, Uses[number]>,
    { record, source, job: present }: Extract<JobDecision, { readonly kind: "ended" }>,
  ): Promise<Result<JobRecord>> {
    if (present !== undefined) forgetContention(req, present);
    this.#remember(req, source === "job" ? undefined : record);
    if (this.#refreshMs !== undefined) req.requeueAfter(msLeft(record, this.#refreshMs, req.clock.now()));
    // A completed Job on deletion must be deleted here: the object that would own it is about to be gone.
    const mustGo = this.#isCleanup && record.result === "Complete";
    // The record is saved at the end of this run. The Job may be deleted in the next.
    if (source === "draft") {
      if (mustGo) return requeueAfter(`job/${record.job} has completed`, SOON_MS);
      req.requeueAfter(SOON_MS);
    } else if (present !== undefined) {
      const left = await (mustGo ? deleteJob(req, present) : this.#release(req, present));
      if (left.kind !== "ok") return left;
    }
    return outcome(record, present);
  }

  /** Releases a Job whose result is known, unless it stays protected. */
  #release(req: ChildReq, present: JobObject): Promise<Result<undefined>> {
    const isKept = this.#protect && isWorthProtecting(present);
    return removeJobFinalizer(req, present, [
      jobFinalizerOf(req.object),
      ...(isKept ? [] : [protectionName(req.object)]),
    ]);
  }

  #hashOf(req: Req<K, Uses[number]>, desired: NewOf<typeof Job>): string {
    const { hash } = this.#options;
    return hashJson(hash === undefined ? (desired.spec?.template ?? null) : hash(req));
  }

  #savedIn(object: ObjectOf<K>): JobRecord | undefined {
    const status: Readonly<Record<string, unknown>> = { ...object.status };
    // The type of `statusField` allows only fields that store a record, and the server has validated it.
    return status[this.#options.statusField] as JobRecord | undefined;
  }

  #remember(req: Req<K, Uses[number]>, record: JobRecord | undefined): void {
    // As above.
    const draft = req.status as Record<string, unknown>;
    draft[this.#options.statusField] = record;
  }
}

/** A Job that has ended, or that we delete, may be missing afterwards: that is not caused by another client. */
function forgetContention(req: ChildReq, present: JobObject): void {
  req.contention(Job, objectKeyOf(present), undefined).forget();
}

function running(
  { job, isCurrent, startsWithinMs }: Extract<JobDecision, { readonly kind: "running" }>,
  start: JobStart | undefined,
): Result<never> {
  const { message } = jobReadiness(job);
  const on = [refOf(job)];
  const what = describeRef(refOf(job));
  if (isCurrent) return wait(`${what}: ${message}`, { on });
  if (start?.kind === "unknown") {
    return wait(
      `${what} may still run for an earlier version: ${message}; its pods cannot be listed: ${start.problem}`,
      {
        on,
      },
    );
  }
  const state = startsWithinMs === undefined ? "still runs" : "has not started";
  return wait(`${what} ${state} for an earlier version: ${message}`, { on });
}

function outcome(record: JobRecord, present: JobObject | undefined): Result<JobRecord> {
  if (record.result === "Complete") return ok(record);
  const { job: name, reason = "Failed", message = reason } = record;
  return terminal(`job/${name}: ${message}`, { reason, on: present === undefined ? [] : [refOf(present)] });
}

/** Returns the milliseconds until a result is too old, at least one. */
function msLeft({ finishedAt }: JobRecord, refreshMs: number, now: number): number {
  return Math.max(1, Date.parse(finishedAt) + refreshMs - now);
}
