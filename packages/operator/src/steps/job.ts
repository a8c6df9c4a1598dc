import {
  controllerOf,
  DeclarationError,
  deepEqual,
  hasFinalizer,
  isDeleting,
  hashOf,
  Job,
  jobReadiness,
  keyOf,
  unreachable,
} from "@levelset/core";
import type { AnyCustomKind, KubeObject, NewOf, ObjectOf } from "@levelset/core";
import { describeRef, ok, refOf, requeueAfter, step, terminal, wait } from "../step/index.ts";
import type { Req, Result, Source, Step } from "../step/index.ts";
import { makerOf } from "./child-manifest.ts";
import { holdName, isWorthProtecting, jobManifest, protectionName, recordOf } from "./job-child.ts";
import type { JobObject } from "./job-child.ts";
import { decideJob } from "./job-decision.ts";
import type { JobDecision } from "./job-decision.ts";
import type { JobRecord, JobRecordField } from "./job-record.ts";
import { releaseJob, removeJob, startJob } from "./job-requests.ts";
import type { ChildReq } from "./child-req.ts";

/** What `job` takes. */
export interface JobOptions<K extends AnyCustomKind, Uses extends readonly Source<unknown>[]> {
  readonly condition?: string;
  readonly uses?: Uses;
  /**
   * The Job as it should be run, in the object's namespace; undefined when none should. Must be a function of the object and of what it
   * reads: it is asked in every run.
   */
  readonly desired: (req: Req<K, Uses[number]>) => NewOf<typeof Job> | undefined;
  /** What the Job is run once for; when it changes, the Job is run again. Default: the pod template, and nothing else of the Job. */
  readonly hash?: (req: Req<K, Uses[number]>) => unknown;
  /** The status field that remembers how the last Job ended. Declare it as `jobRecord.optional()`. */
  readonly remember: JobRecordField<K>;
  /** Whether the Job runs while the object lives, or on its deletion, before anything of earlier steps is cleaned up. Default: do. */
  readonly when?: "do" | "cleanup";
  /**
   * Whether the Job must not vanish while the object exists: a deletion by another client is held and reported while the Job runs and
   * after it has completed. Not for `when: "cleanup"`. Default: false.
   */
  readonly protect?: boolean;
  /** Whether a result is good for ever, or the Job is run again when it is older than `refreshMs`. Default: never again. */
  readonly rerun?: "never" | { readonly refreshMs: number };
}

/**
 * Runs a Job once for each hash, by default of its pod template, and is ok when it has completed. While it runs the condition is
 * False/Info; when it has failed, False/Error with the Job's own reason, such as BackoffLimitExceeded.
 *
 * - Never twice for a hash that completed: not after a restart, not after the Job was deleted by hand or by its TTL, not after a crash
 *   at any request. The Job carries a finalizer until the status remembers how it ended, and is created only after the server was
 *   asked whether the status does.
 * - Never two at a time: all Jobs of the step have the name that `desired` gives. When the hash changes, a Job that runs is left to end;
 *   then it is removed and the next one created. Other changes of the Job count from the next one on.
 * - A failed Job is left for people to look at, and is not tried again before the hash changes or somebody deletes it. If it has a TTL,
 *   the status remembers the failure instead, and only another hash (or clearing the status field) leads to another try.
 * - What counts is what ran last: going back to an earlier hash runs the Job again.
 * - A Job that another client deletes while it runs is run again, after its pods have gone. A protected one stays, and so do its pods.
 *   Kubernetes counts no pods of a Job that is being deleted, so it does not complete any more: the condition is False/Error/ChildDeleted
 *   until the hash changes or the object is deleted.
 * - A protected Job that has completed stays until the hash changes or the object is deleted. One with a TTL is released once its result
 *   is recorded, and one that failed may be deleted for another try.
 * - Before the step is removed or renamed, let `desired` answer undefined in one release: a Job that had not ended keeps its finalizer.
 */
export function job<K extends AnyCustomKind, const Uses extends readonly Source<unknown>[] = readonly []>(
  kind: K,
  name: string,
  options: JobOptions<K, Uses>,
): Step<K, JobRecord | undefined> {
  const { condition, uses, remember, when = "do", protect = false } = options;
  checkOptions(name, options);
  const runs = new JobRuns(name, options);
  // The engine asks about children of the declared kind alone.
  const isProtected = (made: KubeObject): boolean => makerOf(made) === name && isWorthProtecting(made as JobObject);
  return step<K, JobRecord | undefined, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    keeps: [remember],
    ...(protect ? { protects: [Job], isProtected } : { owns: [Job] }),
    ...(when === "do"
      ? { do: (req) => runs.advance(req), cleanup: (req) => stop(req, name) }
      : { cleanup: (req) => runs.advance(req) }),
  });
}

function checkOptions<K extends AnyCustomKind, Uses extends readonly Source<unknown>[]>(
  name: string,
  {
    uses = [],
    when,
    protect = false,
    rerun = "never",
  }: Omit<JobOptions<K, Uses>, "uses"> & { readonly uses?: readonly unknown[] },
): void {
  const problem = (text: string): DeclarationError => new DeclarationError(`step ${name}: ${text}`);
  if (when === "cleanup" && uses.length > 0) throw problem("no step hands anything over on deletion: leave out uses");
  if (when === "cleanup" && protect) throw problem("a Job on deletion goes with its object: leave out protect");
  if (rerun === "never") return;
  if (when === "cleanup") throw problem("a Job on deletion runs once: leave out rerun");
  if (!(rerun.refreshMs > 0)) throw problem(`refreshMs is a number of milliseconds above 0, not ${rerun.refreshMs}`);
}

/** On deletion: ends the Jobs of a step that run, and releases all that have ended or whose step is gone. */
async function stop(req: ChildReq, name: string): Promise<Result<undefined>> {
  const { uid } = req.object.metadata;
  // Jobs of other steps that are marked and not owned belong to steps that run on deletion; if the object lives elsewhere all are marked.
  const isToStop = (each: JobObject): boolean => makerOf(each) === name || controllerOf(each)?.uid === uid;
  for (const owned of req.owned(Job).filter(isToStop)) {
    const isOwn = makerOf(owned) === name;
    const mustEnd = isOwn && recordOf(owned) === undefined;
    // What another step protects is released by that step.
    const held = [holdName(req.object), ...(isOwn ? [protectionName(req.object)] : [])];
    const result = await (mustEnd ? removeJob(req, owned) : releaseJob(req, owned, held));
    if (result.kind !== "ok") return result;
  }
  return ok();
}

function jobsOf(req: ChildReq, step: string): readonly JobObject[] {
  return req.owned(Job).filter((made) => makerOf(made) === step);
}

/** When a run follows that only waits for the status to be saved. */
const SOON_MS = 1;

/** Brings the Job of one step forward. Holds nothing from run to run. */
class JobRuns<K extends AnyCustomKind, Uses extends readonly Source<unknown>[]> {
  readonly #name: string;
  readonly #options: JobOptions<K, Uses>;
  readonly #isCleanup: boolean;
  readonly #protect: boolean;
  readonly #refreshMs: number | undefined;

  constructor(name: string, options: JobOptions<K, Uses>) {
    const { when, protect = false, rerun = "never" } = options;
    this.#name = name;
    this.#options = options;
    this.#isCleanup = when === "cleanup";
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
    const decision = decideJob(view);
    switch (decision.kind) {
      case "none":
        return desired === undefined || hash === undefined ? ok() : this.#start(req, desired, hash);
      case "running":
        req.contention(Job, keyOf(decision.job), hash).seen();
        this.#remember(req, undefined);
        return running(decision.job, decision.isCurrent);
      case "note":
        if (decision.record !== undefined) forgetContention(req, decision.job);
        this.#remember(req, decision.record);
        return requeueAfter(`${describeRef(refOf(decision.job))} has ended`, SOON_MS, { on: [refOf(decision.job)] });
      case "remove": {
        // One that is being deleted already may be undone by another client; this one goes by our own hand.
        if (!isDeleting(decision.job)) forgetContention(req, decision.job);
        const removed = await removeJob(req, decision.job);
        return removed.kind === "ok" ? this.advance(req) : removed;
      }
      case "ended":
        return this.#ended(req, decision);
      default:
        return unreachable(decision);
    }
  }

  async #start(req: Req<K, Uses[number]>, desired: NewOf<typeof Job>, hash: string): Promise<Result<never>> {
    // A Job on deletion is marked instead of owned: the garbage collector may be told to remove all that the object owns at once.
    const manifest = jobManifest(req.object, desired, {
      step: this.#name,
      owned: !this.#isCleanup,
      protect: this.#protect,
      hash,
    });
    if (manifest.kind === "bad") return terminal(manifest.problem);
    const saved = this.#savedIn(req.object);
    const contention = req.contention(Job, manifest.key, hash);
    const started = await startJob(req, manifest, (live) => deepEqual(this.#savedIn(live), saved), contention);
    if (started.kind === "wait") this.#remember(req, undefined);
    return started;
  }

  async #ended(
    req: Req<K, Uses[number]>,
    { record, told, job: present }: Extract<JobDecision, { readonly kind: "ended" }>,
  ): Promise<Result<JobRecord>> {
    if (present !== undefined) forgetContention(req, present);
    this.#remember(req, told === "job" ? undefined : record);
    if (this.#refreshMs !== undefined) req.lookAgain(msLeft(record, this.#refreshMs, req.clock.now()));
    // Nobody else removes a Job on deletion, and nobody is left to do it after the object.
    const mustGo = this.#isCleanup && record.result === "Complete";
    // What is remembered in this run is saved at its end. The Job may go in the next.
    if (told === "draft") {
      if (mustGo) return requeueAfter(`job/${record.job} has completed`, SOON_MS);
      req.lookAgain(SOON_MS);
    } else if (present !== undefined) {
      const left = await (mustGo ? removeJob(req, present) : this.#release(req, present));
      if (left.kind !== "ok") return left;
    }
    return outcome(record, present);
  }

  /** Releases a Job whose result is known, unless it stays protected. */
  #release(req: ChildReq, present: JobObject): Promise<Result<undefined>> {
    const isKept = this.#protect && isWorthProtecting(present);
    return releaseJob(req, present, [holdName(req.object), ...(isKept ? [] : [protectionName(req.object)])]);
  }

  #hashOf(req: Req<K, Uses[number]>, desired: NewOf<typeof Job>): string {
    const { hash } = this.#options;
    return hashOf(hash === undefined ? (desired.spec?.template ?? null) : hash(req));
  }

  #savedIn(object: ObjectOf<K>): JobRecord | undefined {
    const status: Readonly<Record<string, unknown>> = { ...object.status };
    // The compiler lets only fields be named that hold a record, and the server has checked it.
    return status[this.#options.remember] as JobRecord | undefined;
  }

  #remember(req: Req<K, Uses[number]>, record: JobRecord | undefined): void {
    // As above.
    const draft = req.status as Record<string, unknown>;
    draft[this.#options.remember] = record;
  }
}

/** A Job that has ended, or that we remove, may be missing afterwards: that is not another client's doing. */
function forgetContention(req: ChildReq, present: JobObject): void {
  req.contention(Job, keyOf(present), undefined).forget();
}

function running(present: JobObject, isCurrent: boolean): Result<never> {
  const { message } = jobReadiness(present);
  const on = [refOf(present)];
  return isCurrent
    ? wait(`${describeRef(refOf(present))}: ${message}`, { on })
    : wait(`${describeRef(refOf(present))} still runs for an earlier version: ${message}`, { on });
}

function outcome(record: JobRecord, present: JobObject | undefined): Result<JobRecord> {
  if (record.result === "Complete") return ok(record);
  const { job: name, reason = "Failed", message = reason } = record;
  return terminal(`job/${name}: ${message}`, { reason, on: present === undefined ? [] : [refOf(present)] });
}

/** Milliseconds until a result is too old, at least one. */
function msLeft({ finishedAt }: JobRecord, refreshMs: number, now: number): number {
  return Math.max(1, Date.parse(finishedAt) + refreshMs - now);
}
