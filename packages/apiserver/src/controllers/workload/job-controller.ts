import { deepEqual, Job as JobKind, timestamp } from "@levelset/core";
import type { Controller } from "../controller.ts";
import type { Change } from "../feed.ts";
import { parseStoreKey } from "../owner-index.ts";
import { conditionOf, withCondition } from "./condition.ts";
import type { Said, StatusCondition } from "./condition.ts";
import { INDEX, isJobFinished, jobCounts, jobState, planJob } from "./job.ts";
import type { Job, JobState, JobView } from "./job.ts";
import { affectedOwners, claimed, ownedBy, selectorOf } from "./owned.ts";
import { PodResource } from "./pod.ts";
import type { Pod } from "./pod.ts";
import { podFrom } from "./template.ts";
import type { WorkloadWorld } from "./world.ts";

const COMPONENT = "job-controller";

/** Runs the pods of jobs until they have succeeded often enough, or failed too often. */
export class JobController implements Controller {
  readonly name = "job controller";
  readonly #world: WorkloadWorld;

  constructor(world: WorkloadWorld) {
    this.#world = world;
  }

  affected(change: Change): Iterable<string> {
    return affectedOwners(JobKind, change);
  }

  async sync(key: string): Promise<number | undefined> {
    const { actor, clock } = this.#world;
    const { namespace, name } = parseStoreKey(key);
    const job = actor.get(JobKind, namespace, name);
    if (job === undefined || job.metadata.deletionTimestamp !== undefined || isJobFinished(job)) return undefined;
    if ((job.spec?.managedBy ?? "kubernetes.io/job-controller") !== "kubernetes.io/job-controller") return undefined;
    const now = clock.now();
    const view: JobView = { job, pods: await this.#pods(job), now };
    const state = jobState(view);
    const plan = planJob(view, state);
    for (const pod of plan.remove) await this.#remove(job, pod);
    for (const index of plan.create) await this.#create(job, index);
    const after = jobState({ ...view, pods: await this.#pods(job) });
    await this.#report(job, after, timestamp(now));
    return after.verdict === undefined ? after.nextMs : undefined;
  }

  async #pods(job: Job): Promise<readonly Pod[]> {
    // A job without a selector, as one that nothing has defaulted, goes by owners alone.
    return job.spec?.selector === undefined
      ? ownedBy(this.#world, job, PodResource)
      : claimed(this.#world, job, PodResource, selectorOf(job.spec.selector));
  }

  async #create(job: Job, index: number | undefined): Promise<void> {
    const { actor, recorder } = this.#world;
    const { namespace = "", name } = job.metadata;
    const template = job.spec?.template;
    const numbered = index === undefined ? {} : { [INDEX]: String(index) };
    const body = podFrom(job, template, {
      labels: numbered,
      annotations: numbered,
      ...(index === undefined ? {} : { spec: { hostname: `${name}-${index}` } }),
    });
    const generateName = index === undefined ? `${name.slice(0, 57)}-` : `${name.slice(0, 50)}-${index}-`;
    const pod = await actor.create(PodResource, namespace, { ...body, metadata: { ...body.metadata, generateName } });
    const message = `Created pod: ${pod.metadata.name}`;
    await recorder.record(COMPONENT, job, { type: "Normal", reason: "SuccessfulCreate", message });
  }

  async #remove(job: Job, pod: Pod): Promise<void> {
    const { actor, recorder } = this.#world;
    await actor.remove(PodResource, pod);
    const message = `Deleted pod: ${pod.metadata.name}`;
    await recorder.record(COMPONENT, job, { type: "Normal", reason: "SuccessfulDelete", message });
  }

  async #report(job: Job, state: JobState, now: string): Promise<void> {
    const { actor, recorder } = this.#world;
    const next = statusOf(job, state, now);
    if (deepEqual(job.status, next)) return;
    const written = await actor.changeStatus(JobKind, job, (old) => statusOf(old, state, now));
    const { verdict } = state;
    if (written === undefined || !isJobFinished(written) || verdict === undefined) return;
    const report =
      verdict.kind === "complete"
        ? ({ type: "Normal", reason: "Completed", message: "Job completed" } as const)
        : ({ type: "Warning", reason: verdict.reason, message: verdict.message } as const);
    await recorder.record(COMPONENT, job, report);
  }
}

/** The status of a job where it stands. It is over once its verdict is given and its pods have ended. */
function statusOf(job: Job, state: JobState, now: string): Readonly<Record<string, unknown>> {
  const isSuspended = job.spec?.suspend === true;
  const conditions = conditionsOf(job, state, now);
  const hasCompleted = conditionOf(conditions, "Complete") !== undefined;
  const startTime = isSuspended ? undefined : (job.status?.startTime ?? now);
  return {
    ...(conditions.length === 0 ? {} : { conditions }),
    ...(startTime === undefined ? {} : { startTime }),
    ...(hasCompleted ? { completionTime: job.status?.completionTime ?? now } : {}),
    ...jobCounts(job, state),
  };
}

function conditionsOf(job: Job, { verdict, active, terminating }: JobState, now: string): readonly StatusCondition[] {
  let conditions: readonly StatusCondition[] = job.status?.conditions ?? [];
  const say = (said: Said): void => {
    const before = conditionOf(conditions, said.type);
    const next = withCondition(conditions, said, now);
    // Conditions of jobs also tell when they were looked at, which is when they changed.
    conditions =
      before === undefined || before.status !== said.status
        ? next.map((each) => (each.type === said.type ? { ...each, lastProbeTime: now } : each))
        : next;
  };
  if (verdict !== undefined) {
    const { reason, message } = verdict;
    say({
      type: verdict.kind === "complete" ? "SuccessCriteriaMet" : "FailureTarget",
      status: "True",
      reason,
      message,
    });
    if (active.length === 0 && terminating === 0) {
      say({ type: verdict.kind === "complete" ? "Complete" : "Failed", status: "True", reason, message });
    }
    return conditions;
  }
  const wasSuspended = conditionOf(conditions, "Suspended")?.status === "True";
  if (job.spec?.suspend === true)
    say({ type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" });
  else if (wasSuspended) say({ type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" });
  return conditions;
}
