import { deepEqual, formatTimestamp } from "@levelset/core/internal";
import { Job as JobKind } from "@levelset/core";
import type { BuiltinController } from "../../controller.ts";
import type { RecordChange } from "../../change-feed.ts";
import { parseStoreKey } from "../../owner-index.ts";
import { getWorkloadCondition, setWorkloadCondition } from "../workload-condition.ts";
import type { WorkloadConditionUpdate, WorkloadCondition } from "../workload-condition.ts";
import { COMPLETION_INDEX_ANNOTATION, isJobFinished, jobStatusCounts, jobState, planJob } from "./job.ts";
import type { Job, JobState, JobSnapshot } from "./job.ts";
import { affectedOwnerKeys, claimObjects, listOwnedBy, parsedSelectorOf } from "../controller-ref.ts";
import { POD_KIND } from "../pod/pod.ts";
import type { Pod } from "../pod/pod.ts";
import { podFromTemplate } from "../pod/pod-from-template.ts";
import type { WorkloadContext } from "../workload-context.ts";

const COMPONENT = "job-controller";

/** Runs the pods of jobs until completion or failure. */
export class JobController implements BuiltinController {
  readonly name = "job controller";
  readonly #context: WorkloadContext;

  constructor(context: WorkloadContext) {
    this.#context = context;
  }

  affectedKeys(change: RecordChange): Iterable<string> {
    return affectedOwnerKeys(JobKind, change);
  }

  async sync(key: string): Promise<number | undefined> {
    const { client, clock } = this.#context;
    const { namespace, name } = parseStoreKey(key);
    const job = client.get(JobKind, namespace, name);
    if (job === undefined || job.metadata.deletionTimestamp !== undefined || isJobFinished(job)) return undefined;
    if ((job.spec?.managedBy ?? "kubernetes.io/job-controller") !== "kubernetes.io/job-controller") return undefined;
    const now = clock.now();
    const view: JobSnapshot = { job, pods: await this.#pods(job), now };
    const state = jobState(view);
    const plan = planJob(view, state);
    for (const pod of plan.remove) await this.#remove(job, pod);
    for (const index of plan.create) await this.#create(job, index);
    const after = jobState({ ...view, pods: await this.#pods(job) });
    await this.#report(job, after, formatTimestamp(now));
    return after.finished === undefined ? after.nextMs : undefined;
  }

  async #pods(job: Job): Promise<readonly Pod[]> {
    // A job without a defaulted selector is matched by owner reference only.
    return job.spec?.selector === undefined
      ? listOwnedBy(this.#context, job, POD_KIND)
      : claimObjects(this.#context, job, POD_KIND, parsedSelectorOf(job.spec.selector));
  }

  async #create(job: Job, index: number | undefined): Promise<void> {
    const { client, recorder } = this.#context;
    const { namespace = "", name } = job.metadata;
    const template = job.spec?.template;
    const numbered = index === undefined ? {} : { [COMPLETION_INDEX_ANNOTATION]: String(index) };
    const body = podFromTemplate(job, template, {
      labels: numbered,
      annotations: numbered,
      ...(index === undefined ? {} : { spec: { hostname: `${name}-${index}` } }),
    });
    const generateName = index === undefined ? `${name.slice(0, 57)}-` : `${name.slice(0, 50)}-${index}-`;
    const pod = await client.create(POD_KIND, namespace, { ...body, metadata: { ...body.metadata, generateName } });
    const message = `Created pod: ${pod.metadata.name}`;
    await recorder.record(COMPONENT, job, { type: "Normal", reason: "SuccessfulCreate", message });
  }

  async #remove(job: Job, pod: Pod): Promise<void> {
    const { client, recorder } = this.#context;
    await client.delete(POD_KIND, pod);
    const message = `Deleted pod: ${pod.metadata.name}`;
    await recorder.record(COMPONENT, job, { type: "Normal", reason: "SuccessfulDelete", message });
  }

  async #report(job: Job, state: JobState, now: string): Promise<void> {
    const { client, recorder } = this.#context;
    const next = statusOf(job, state, now);
    if (deepEqual(job.status, next)) return;
    const written = await client.updateStatus(JobKind, job, (old) => statusOf(old, state, now));
    const { finished } = state;
    if (written === undefined || !isJobFinished(written) || finished === undefined) return;
    const report =
      finished.kind === "complete"
        ? ({ type: "Normal", reason: "Completed", message: "Job completed" } as const)
        : ({ type: "Warning", reason: finished.reason, message: finished.message } as const);
    await recorder.record(COMPONENT, job, report);
  }
}

/** Returns the status of a job. The job is finished once its pods have terminated. */
function statusOf(job: Job, state: JobState, now: string): Readonly<Record<string, unknown>> {
  const isSuspended = job.spec?.suspend === true;
  const conditions = conditionsOf(job, state, now);
  const hasCompleted = getWorkloadCondition(conditions, "Complete") !== undefined;
  const startTime = isSuspended ? undefined : (job.status?.startTime ?? now);
  return {
    ...(conditions.length === 0 ? {} : { conditions }),
    ...(startTime === undefined ? {} : { startTime }),
    ...(hasCompleted ? { completionTime: job.status?.completionTime ?? now } : {}),
    ...jobStatusCounts(job, state),
  };
}

function conditionsOf(
  job: Job,
  { finished, active, terminating }: JobState,
  now: string,
): readonly WorkloadCondition[] {
  let conditions: readonly WorkloadCondition[] = job.status?.conditions ?? [];
  const setCondition = (update: WorkloadConditionUpdate): void => {
    const before = getWorkloadCondition(conditions, update.type);
    const next = setWorkloadCondition(conditions, update, now);
    // Job conditions also have a probe time, which is set with the transition time.
    conditions =
      before === undefined || before.status !== update.status
        ? next.map((each) => (each.type === update.type ? { ...each, lastProbeTime: now } : each))
        : next;
  };
  if (finished !== undefined) {
    const { reason, message } = finished;
    setCondition({
      type: finished.kind === "complete" ? "SuccessCriteriaMet" : "FailureTarget",
      status: "True",
      reason,
      message,
    });
    if (active.length === 0 && terminating === 0) {
      setCondition({ type: finished.kind === "complete" ? "Complete" : "Failed", status: "True", reason, message });
    }
    return conditions;
  }
  const wasSuspended = getWorkloadCondition(conditions, "Suspended")?.status === "True";
  if (job.spec?.suspend === true)
    setCondition({ type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" });
  else if (wasSuspended)
    setCondition({ type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" });
  return conditions;
}
