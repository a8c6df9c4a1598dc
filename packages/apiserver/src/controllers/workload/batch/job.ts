import { backoffBaseMs, BACKOFFS } from "@levelset/core/internal";
import type { Job as JobKind, ObjectOf } from "@levelset/core";
import { isWorkloadConditionTrue } from "../workload-condition.ts";
import { isPodActive, isPodReady, restartsOf } from "../pod/pod.ts";
import type { Pod } from "../pod/pod.ts";
import { formatIndexes, parseIndexes } from "./job-index.ts";

/** A stored job. */
export type Job = ObjectOf<typeof JobKind>;

/** Annotation and label with the completion index of a pod. */
export const COMPLETION_INDEX_ANNOTATION: string = "batch.kubernetes.io/job-completion-index";

/** Result of a job that is finished or waits for its pods to terminate. */
export interface JobFinishedState {
  readonly kind: "complete" | "failed";
  readonly reason: string;
  readonly message: string;
}

/** Input of {@link jobState}. */
export interface JobSnapshot {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly now: number;
}

/** Observed state of a job. */
export interface JobState {
  readonly active: readonly Pod[];
  readonly terminating: number;
  readonly ready: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Completed indexes of an indexed job. */
  readonly completedIndexes: readonly number[];
  readonly finished: JobFinishedState | undefined;
  /** Milliseconds until the deadline or the next retry. */
  readonly nextMs: number | undefined;
}

/** Pods to create and delete for a job. */
export interface JobPlan {
  readonly remove: readonly Pod[];
  /** Indexes of the pods to create; undefined for pods without an index. */
  readonly create: readonly (number | undefined)[];
}

/** Whether a job is finished. */
export function isJobFinished({ status }: Job): boolean {
  return (
    isWorkloadConditionTrue(status?.conditions, "Complete") || isWorkloadConditionTrue(status?.conditions, "Failed")
  );
}

function isIndexed({ spec }: Job): boolean {
  return spec?.completionMode === "Indexed";
}

function indexOf(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[COMPLETION_INDEX_ANNOTATION];
  return text === undefined ? undefined : Number(text);
}

/** Computes the state of a job. Counted pods stay counted after they are deleted. */
export function jobState(view: JobSnapshot): JobState {
  const { job, pods } = view;
  const succeededPods = pods.filter((pod) => pod.status?.phase === "Succeeded");
  const failedPods = pods.filter((pod) => pod.status?.phase === "Failed" && countsAsFailure(job, pod));
  const known = parseIndexes(job.status?.completedIndexes ?? "");
  const completedIndexes = [...new Set([...known, ...succeededPods.flatMap((pod) => indexOf(pod) ?? [])])]
    .filter((index) => index < (job.spec?.completions ?? 0))
    .toSorted((a, b) => a - b);
  const succeeded = isIndexed(job)
    ? completedIndexes.length
    : Math.max(job.status?.succeeded ?? 0, succeededPods.length);
  const failed = Math.max(job.status?.failed ?? 0, failedPods.length);
  const active = pods.filter(isPodActive);
  const restarts =
    job.spec?.template.spec?.restartPolicy === "OnFailure" ? active.reduce((sum, pod) => sum + restartsOf(pod), 0) : 0;
  return {
    active,
    terminating: pods.filter(
      ({ metadata, status }) =>
        metadata.deletionTimestamp !== undefined && status?.phase !== "Succeeded" && status?.phase !== "Failed",
    ).length,
    ready: active.filter(isPodReady).length,
    succeeded,
    failed,
    completedIndexes,
    finished: verdictOf(view, { succeeded, failures: failed + restarts, active: active.length }),
    nextMs: nextCheck(view, failedPods),
  };
}

function verdictOf(
  { job, pods, now }: JobSnapshot,
  counts: { readonly succeeded: number; readonly failures: number; readonly active: number },
): JobFinishedState | undefined {
  const decided = earlierVerdict(job);
  if (decided !== undefined) return decided;
  const forbidden = pods.find((pod) => policyAction(job, pod) === "FailJob");
  if (forbidden !== undefined) {
    const { name, namespace = "" } = forbidden.metadata;
    const message = `Container of pod ${namespace}/${name} failed with an exit code matching FailJob rule`;
    return { kind: "failed", reason: "PodFailurePolicy", message };
  }
  if (counts.failures > (job.spec?.backoffLimit ?? 6)) {
    return { kind: "failed", reason: "BackoffLimitExceeded", message: "Job has reached the specified backoff limit" };
  }
  const { completions, activeDeadlineSeconds } = job.spec ?? {};
  const isDone =
    completions === undefined ? counts.succeeded > 0 && counts.active === 0 : counts.succeeded >= completions;
  if (isDone) {
    const message = "Reached expected number of succeeded pods";
    return { kind: "complete", reason: "CompletionsReached", message };
  }
  const start = job.status?.startTime;
  const isLate =
    activeDeadlineSeconds !== undefined &&
    typeof start === "string" &&
    job.spec?.suspend !== true &&
    now >= Date.parse(start) + Number(activeDeadlineSeconds) * 1000;
  if (!isLate) return undefined;
  return { kind: "failed", reason: "DeadlineExceeded", message: "Job was active longer than specified deadline" };
}

/** Returns the recorded result, which is final. */
function earlierVerdict({ status }: Job): JobFinishedState | undefined {
  const given = status?.conditions?.find(
    (condition) =>
      (condition.type === "SuccessCriteriaMet" || condition.type === "FailureTarget") && condition.status === "True",
  );
  if (given === undefined) return undefined;
  const kind = given.type === "FailureTarget" ? "failed" : "complete";
  return { kind, reason: given.reason ?? "", message: given.message ?? "" };
}

/** Returns the action of the pod failure policy for a failed pod; undefined if no rule matches. */
function policyAction(job: Job, pod: Pod): string | undefined {
  if (pod.status?.phase !== "Failed") return undefined;
  const codes = (pod.status.containerStatuses ?? []).flatMap(({ name, state }) =>
    state?.terminated === undefined ? [] : [{ name, code: state.terminated.exitCode ?? 0 }],
  );
  return job.spec?.podFailurePolicy?.rules.find(({ onExitCodes, onPodConditions }) => {
    if (onExitCodes !== undefined) {
      const { containerName, operator, values } = onExitCodes;
      const watched = codes.filter(({ name, code }) => code !== 0 && (containerName ?? name) === name);
      return watched.some(({ code }) => values.includes(code) === (operator === "In"));
    }
    return (onPodConditions ?? []).some(({ type, status = "True" }) =>
      pod.status?.conditions?.some((condition) => condition.type === type && condition.status === status),
    );
  })?.action;
}

function countsAsFailure(job: Job, pod: Pod): boolean {
  return policyAction(job, pod) !== "Ignore";
}

function nextCheck({ job, now }: JobSnapshot, failed: readonly Pod[]): number | undefined {
  const { activeDeadlineSeconds } = job.spec ?? {};
  const start = job.status?.startTime;
  const deadline =
    activeDeadlineSeconds !== undefined && typeof start === "string"
      ? Date.parse(start) + Number(activeDeadlineSeconds) * 1000 - now
      : undefined;
  const waits = [deadline, retryMs(failed, now)].filter((ms) => ms !== undefined && ms > 0).map(Number);
  return waits.length === 0 ? undefined : Math.min(...waits);
}

/** Returns the milliseconds until the next retry. The backoff doubles with each failure. */
function retryMs(failed: readonly Pod[], now: number): number {
  const ends = failed.flatMap((pod) =>
    (pod.status?.containerStatuses ?? []).map(({ state }) => state?.terminated?.finishedAt),
  );
  const latest = Math.max(0, ...ends.map((time) => (typeof time === "string" ? Date.parse(time) : 0)));
  if (latest === 0) return 0;
  return Math.max(0, latest + backoffBaseMs(failed.length, BACKOFFS.simulatedJob) - now);
}

/** Decides which pods to create and delete. */
export function planJob(view: JobSnapshot, state: JobState): JobPlan {
  const { job, pods, now } = view;
  const { active } = state;
  if (state.finished !== undefined || job.spec?.suspend === true) return { remove: active, create: [] };
  const { parallelism = 1, completions } = job.spec ?? {};
  const left =
    completions === undefined ? (state.succeeded > 0 ? active.length : parallelism) : completions - state.succeeded;
  const desired = Math.max(0, Math.min(parallelism, left));
  if (active.length > desired) return { remove: surplus(active, active.length - desired), create: [] };
  const failed = pods.filter((pod) => pod.status?.phase === "Failed" && countsAsFailure(job, pod));
  if (retryMs(failed, now) > 0) return { remove: [], create: [] };
  // With podReplacementPolicy Failed, terminating pods are replaced after termination.
  const terminating = job.spec?.podReplacementPolicy === "Failed" ? state.terminating : 0;
  const missing = Math.max(0, desired - active.length - terminating);
  if (!isIndexed(job)) return { remove: [], create: Array.from({ length: missing }, () => undefined) };
  const taken = new Set([...state.completedIndexes, ...active.flatMap((pod) => indexOf(pod) ?? [])]);
  const free = Array.from({ length: completions ?? 0 }, (_, index) => index).filter((index) => !taken.has(index));
  return { remove: [], create: free.slice(0, missing) };
}

function surplus(active: readonly Pod[], count: number): readonly Pod[] {
  return active.toSorted((a, b) => Number(isPodReady(a)) - Number(isPodReady(b))).slice(0, count);
}

/** Returns the counts of the job status. */
export function jobStatusCounts(job: Job, state: JobState): Readonly<Record<string, unknown>> {
  const { completedIndexes } = state;
  return {
    ...(state.active.length === 0 ? {} : { active: state.active.length }),
    ready: state.ready,
    terminating: state.terminating,
    ...(state.succeeded === 0 ? {} : { succeeded: state.succeeded }),
    ...(state.failed === 0 ? {} : { failed: state.failed }),
    ...(isIndexed(job) && completedIndexes.length > 0 ? { completedIndexes: formatIndexes(completedIndexes) } : {}),
    uncountedTerminatedPods: {},
  };
}
