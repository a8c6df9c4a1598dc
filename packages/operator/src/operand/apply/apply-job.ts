import { hasFinalizer, isDeleting, isNotFound, objectKeyOf } from "@levelset/core";
import { deepEqual, jobReadiness, removeFinalizerPatch, unreachable } from "@levelset/core/internal";
import type { Clock, Kind, KubeObject, ObjectOf, Readiness } from "@levelset/core";
import { isWriteConflict, liveObject } from "../../apply/index.ts";
import type { ClientContext } from "../../apply/index.ts";
import type { Client } from "../../client/index.ts";
import { decideJob, hashOfJob, jobRecordOf } from "../../steps/index.ts";
import type { JobDecision, JobObject, JobRecord } from "../../steps/index.ts";
import type { ManifestItem } from "../spec/item.ts";
import { markedJob } from "../spec/job-manifest.ts";
import { FOREGROUND_FINALIZER, jobFinalizerOf, partLabel } from "../spec/labels-and-annotations.ts";
import { Operand } from "../spec/operand-kinds.ts";
import type { HookName } from "../spec/operand-kinds.ts";
import { waitingOutcome } from "./apply-outcome.ts";
import type { ApplyOutcome } from "./apply-outcome.ts";
import type { JobRuns } from "./job-runs.ts";

/** What applying one Job needs. */
export interface JobContext extends ClientContext {
  readonly item: ManifestItem;
  readonly kind: Kind;
  readonly operand: ObjectOf<Operand>;
  readonly runs: JobRuns;
  /** For Operands; `client` is for the objects of the set. */
  readonly operandClient: Client;
  /** `read`: only reports, and writes at most the finalizer. `dry`: sends dry runs only. */
  readonly mode: "write" | "read" | "dry";
  readonly clock?: Pick<Clock, "now">;
  /** Returns the Job from the cache. */
  readonly present: () => Promise<KubeObject | undefined>;
  /** Creates the Job if it is missing, and otherwise changes it in place. */
  readonly write: () => Promise<ApplyOutcome>;
  /** Records that we delete the Job, so that its absence is not caused by another client. */
  readonly forget: () => void;
}

/** Delay before a run that only waits for the status to be saved. */
const SOON_MS = 1;
const NOT_NOW: ApplyOutcome = { kind: "applied", object: undefined, change: "none" };
const REPLACING = waitingOutcome("Recreating", "its content changed; the Job is deleted and runs again");
const LOST = waitingOutcome("Recreating", "it was deleted before it finished; it runs again once its pods are gone");

/** Applies a Job, which runs once for each hash: see `JobRuns`. The Job of a hook is applied in its phase only. */
export async function applyJob(ctx: JobContext): Promise<ApplyOutcome> {
  const { item, runs } = ctx;
  const live = await ctx.present();
  const isOurs = live?.metadata.labels?.[partLabel(ctx.operand.metadata.uid)] !== undefined;
  const hook = runs.hookOf(item);
  if (item.job !== undefined && item.job.hooks.length > 0 && hook === undefined) {
    const isDue = item.job.hooks.some((name) => runs.due.has(name));
    // A Job that still runs for an earlier installation keeps its finalizer until it has ended.
    const isOver = live !== undefined && (isDeleting(live) || jobRecordOf(live as JobObject) !== undefined);
    if (isOver && isOurs && !isDue) await release(ctx, live);
    return NOT_NOW;
  }
  // A Job without our hash is adopted, or was created by an earlier version: the server compares its content.
  if (live !== undefined && (!isOurs || hashOfJob(live as JobObject) === undefined)) return written(ctx, hook);
  return act(ctx, decide(ctx, live as JobObject | undefined), hook);
}

function decide({ item, runs }: JobContext, job: JobObject | undefined): JobDecision {
  const [hash, saved] = [runs.hashOf(item), runs.saved(item)];
  // A Job that does not run for this hash is replaced at once, so its start and the time do not matter.
  const input = { hash, job, isProtected: false, refreshMs: undefined, start: undefined, now: 0 };
  if (runs.hookOf(item) === undefined) return decideJob({ ...input, saved });
  if (saved?.hash === hash) return { kind: "ended", record: saved, source: "status", job };
  // The Job of an earlier hook has been recorded in its own phase.
  const decision = decideJob({ ...input, saved: undefined });
  return decision.kind === "record" ? { kind: "delete", job: decision.job } : decision;
}

async function act(ctx: JobContext, decision: JobDecision, hook: HookName | undefined): Promise<ApplyOutcome> {
  const { item, runs } = ctx;
  switch (decision.kind) {
    case "none":
      return start(ctx);
    case "running":
      if (!decision.isCurrent) return replace(ctx, decision.job);
      runs.record(item, undefined);
      return written(ctx, hook);
    case "record":
      if (ctx.mode === "read") return ctx.write();
      if (ctx.mode !== "dry") runs.requeueAfter(SOON_MS);
      runs.record(item, decision.record);
      return REPLACING;
    case "delete":
      return replace(ctx, decision.job);
    case "ended":
      return ended(ctx, decision, hook);
    default:
      return unreachable(decision);
  }
}

/** Creates a Job if the status on the server has no result either: the cached one may be stale. */
async function start(ctx: JobContext): Promise<ApplyOutcome> {
  const { item, operand, runs, mode } = ctx;
  const saved = runs.saved(item);
  if (mode === "write") {
    const { name, uid, generation } = operand.metadata;
    const live = await liveObject({ client: ctx.operandClient, signal: ctx.signal }, Operand, { name });
    const isSame = live?.metadata.uid === uid && live.metadata.generation === generation;
    if (!isSame || !deepEqual(runs.savedIn(live.status, item), saved))
      return waitingOutcome("Changing", "the Operand has changed");
  }
  runs.record(item, undefined);
  return written(ctx, runs.hookOf(item));
}

/** Writes a Job. That of a hook is ready when it has completed; a plan assumes that it does. */
async function written(ctx: JobContext, hook: HookName | undefined): Promise<ApplyOutcome> {
  const outcome = await ctx.write();
  if (hook === undefined || outcome.kind !== "applied" || outcome.object === undefined || ctx.mode === "dry")
    return outcome;
  return { ...outcome, readiness: hookReadiness(ctx, outcome.object, hook) };
}

/** Returns the readiness of a hook that has not finished. It fails after its timeout, and its Job keeps running. */
function hookReadiness({ item, clock, runs }: JobContext, job: KubeObject, hook: HookName): Readiness {
  const { timeoutMs = Infinity } = item.job ?? {};
  const now = clock?.now() ?? 0;
  const leftMs = Date.parse(job.metadata.creationTimestamp ?? "") + timeoutMs - now;
  const { message } = jobReadiness(job);
  if (leftMs <= 0) {
    const text = `hook ${hook} has not finished within ${timeoutMs / 1_000} s: ${message}`;
    return { kind: "failed", reason: "HookTimedOut", message: text };
  }
  // Timestamps are whole seconds.
  if (Number.isFinite(leftMs)) runs.requeueAfter(leftMs + 1_000);
  return { kind: "progressing", message: `hook ${hook}: ${message}` };
}

async function ended(
  ctx: JobContext,
  { record, source, job }: Extract<JobDecision, { readonly kind: "ended" }>,
  hook: HookName | undefined,
): Promise<ApplyOutcome> {
  const { item, runs } = ctx;
  if (job === undefined || source === "draft") ctx.forget();
  runs.record(item, source === "job" ? undefined : record);
  // The record is saved at the end of this run. The Job may be deleted after that.
  if (source === "draft") runs.requeueAfter(SOON_MS);
  // The Job of another hook is released once that hook is recorded.
  else if (job !== undefined && (hook === undefined || source === "job" || job.metadata.uid === record.uid))
    await release(ctx, job);
  const failure = failureOf(ctx.operand, record, hook);
  const readiness = failure === undefined || ctx.mode === "dry" ? {} : { readiness: failure };
  if (hook !== undefined) {
    // Later phases rely on the record.
    if (source === "draft" && failure === undefined && ctx.mode === "write")
      return waitingOutcome("Changing", `hook ${hook} has completed`);
    return { ...NOT_NOW, ...readiness };
  }
  if (job === undefined || isDeleting(job)) return { ...NOT_NOW, ...readiness };
  const outcome = await ctx.write();
  return outcome.kind === "applied" ? { ...outcome, ...readiness } : outcome;
}

/** Returns how a Job failed; undefined if it did not, or if the Operand installs without regard to its objects' health. */
export function failureOf(
  { spec }: Pick<ObjectOf<Operand>, "spec">,
  record: JobRecord | undefined,
  hook: HookName | undefined,
): Readiness | undefined {
  if (record?.result !== "Failed" || (hook === undefined && spec.healthGate === "None")) return undefined;
  const { reason = "Failed", message = reason } = record;
  return hook === undefined
    ? { kind: "failed", reason, message }
    : { kind: "failed", reason: "HookFailed", message: `hook ${hook} failed: ${reason}: ${message}` };
}

/** Deletes a Job, so that the next one can run. A running Job is gone only after its pods are. */
async function replace(ctx: JobContext, job: JobObject): Promise<ApplyOutcome> {
  const isLost = isDeleting(job);
  if (ctx.mode === "dry") return REPLACING;
  if (!isLost && ctx.mode === "read") return ctx.write();
  if (!isLost) ctx.forget();
  return deleteJob(ctx, job, isLost ? LOST : REPLACING);
}

/** Deletes this version of a Job and releases it. */
export async function deleteJob(
  ctx: Pick<JobContext, "client" | "kind" | "operand" | "signal" | "mode">,
  job: JobObject,
  outcome: ApplyOutcome = REPLACING,
): Promise<ApplyOutcome> {
  const isFinished = jobRecordOf(job) !== undefined;
  const isGoing = isDeleting(job) && (isFinished || hasFinalizer(job, FOREGROUND_FINALIZER));
  const { uid, resourceVersion } = job.metadata;
  const propagationPolicy = isFinished ? "Background" : "Foreground";
  const options = { uid, resourceVersion, propagationPolicy, signal: ctx.signal } as const;
  try {
    if (!isGoing) await ctx.client.delete(ctx.kind, objectKeyOf(job), options);
  } catch (error) {
    if (isNotFound(error)) return outcome;
    if (!isWriteConflict(error)) throw error;
    return waitingOutcome("Changing", "it changed before it could be replaced");
  }
  await release(ctx, job);
  return outcome;
}

/** Removes the finalizer of the Operand from a Job. A changed Job is released in a later run. */
async function release(
  ctx: Pick<JobContext, "client" | "kind" | "operand" | "signal" | "mode">,
  job: KubeObject,
): Promise<void> {
  const { client, kind, operand, signal, mode } = ctx;
  const patch = removeFinalizerPatch(job, jobFinalizerOf(operand.metadata.uid));
  if (patch.length === 0 || mode === "dry") return;
  try {
    await client.jsonPatch(kind, objectKeyOf(job), patch, { signal });
  } catch (error) {
    if (!isNotFound(error) && !isWriteConflict(error)) throw error;
  }
}

/** Returns a Job with its hash, and with its finalizer until it has ended; other objects as declared. */
export function markedItem(
  item: ManifestItem,
  live: KubeObject | undefined,
  operandUid: string,
  runs: JobRuns,
): ManifestItem {
  if (item.job === undefined) return item;
  // Finalizers cannot be added to an object that is being deleted.
  const isEnded = live !== undefined && (isDeleting(live) || jobRecordOf(live as JobObject) !== undefined);
  const finalizer = isEnded ? undefined : jobFinalizerOf(operandUid);
  return { ...item, object: markedJob(item, { hash: runs.hashOf(item), finalizer }) };
}

/** Reports whether a Job of an Operand lacks its hash, because an earlier version of the operators created it. */
export function isUnmarkedJob({ job }: ManifestItem, live: KubeObject, operandUid: string): boolean {
  const isOurs = live.metadata.labels?.[partLabel(operandUid)] !== undefined;
  return job !== undefined && isOurs && hashOfJob(live as JobObject) === undefined;
}
