import { controllerReference, CronJob as CronJobKind, isAlreadyExists, Job as JobKind } from "@levelset/core";
import { CronError, parseCron, deepEqual, formatTimestamp } from "@levelset/core/internal";
import type { CronSchedule } from "@levelset/core/internal";
import type { BuiltinController } from "../../controller.ts";
import type { RecordChange } from "../../change-feed.ts";
import { parseStoreKey } from "../../owner-index.ts";
import { isWorkloadConditionTrue } from "../workload-condition.ts";
import { planCronJob } from "./cron-job.ts";
import type { CronJob } from "./cron-job.ts";
import { isJobFinished } from "./job.ts";
import type { Job } from "./job.ts";
import { affectedOwnerKeys, listOwnedBy } from "../controller-ref.ts";
import type { WorkloadContext } from "../workload-context.ts";

const COMPONENT = "cronjob-controller";

/** Creates the jobs of cron jobs on schedule. */
export class CronJobController implements BuiltinController {
  readonly name = "cron job controller";
  readonly #context: WorkloadContext;

  constructor(context: WorkloadContext) {
    this.#context = context;
  }

  affectedKeys(change: RecordChange): Iterable<string> {
    return affectedOwnerKeys(CronJobKind, change);
  }

  async sync(key: string): Promise<number | undefined> {
    const { client, clock, recorder } = this.#context;
    const { namespace, name } = parseStoreKey(key);
    const cronJob = client.get(CronJobKind, namespace, name);
    if (cronJob === undefined) return undefined;
    const schedule = scheduleOf(cronJob);
    if (schedule === undefined) {
      const message = `unparseable schedule: ${cronJob.spec.schedule}`;
      await recorder.record(COMPONENT, cronJob, { type: "Warning", reason: "UnparseableSchedule", message });
      return undefined;
    }
    const jobs = listOwnedBy(this.#context, cronJob, JobKind);
    const plan = planCronJob({ cronJob, jobs, schedule, now: clock.now() });
    for (const job of plan.remove) await client.delete(JobKind, job, { propagationPolicy: "Background" });
    if (plan.start !== undefined) await this.#start(cronJob, plan.start);
    await this.#report(cronJob, plan.start);
    return plan.nextMs;
  }

  async #start(cronJob: CronJob, due: number): Promise<void> {
    const { client, recorder } = this.#context;
    const { namespace = "", name } = cronJob.metadata;
    const { metadata, spec } = cronJob.spec.jobTemplate;
    const annotations = {
      ...metadata?.annotations,
      "batch.kubernetes.io/cronjob-scheduled-timestamp": formatTimestamp(due),
    };
    try {
      const job = await client.create(JobKind, namespace, {
        metadata: {
          // Derived from the scheduled time, so that a run is never started twice.
          name: `${name}-${Math.floor(due / 60_000)}`,
          namespace,
          labels: { ...metadata?.labels },
          annotations,
          ownerReferences: [controllerReference(cronJob)],
        },
        spec: spec ?? { template: {} },
      });
      const message = `Created job ${job.metadata.name}`;
      await recorder.record(COMPONENT, cronJob, { type: "Normal", reason: "SuccessfulCreate", message });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  async #report(cronJob: CronJob, started: number | undefined): Promise<void> {
    const jobs = listOwnedBy(this.#context, cronJob, JobKind);
    const active = jobs.filter((job) => !isJobFinished(job)).map(referenceTo);
    const ends = jobs
      .filter((job) => isWorkloadConditionTrue(job.status?.conditions, "Complete"))
      .map((job) => job.status?.completionTime ?? "");
    const latest = [...ends, cronJob.status?.lastSuccessfulTime ?? ""].toSorted().at(-1) ?? "";
    const lastScheduleTime = started === undefined ? cronJob.status?.lastScheduleTime : formatTimestamp(started);
    const status = {
      ...(active.length === 0 ? {} : { active }),
      ...(typeof lastScheduleTime === "string" ? { lastScheduleTime } : {}),
      ...(latest === "" ? {} : { lastSuccessfulTime: latest }),
    };
    if (deepEqual(cronJob.status ?? {}, status)) return;
    await this.#context.client.updateStatus(CronJobKind, cronJob, () => status);
  }
}

function scheduleOf({ spec }: CronJob): CronSchedule | undefined {
  try {
    return parseCron(spec.schedule, spec.timeZone);
  } catch (error) {
    if (error instanceof CronError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function referenceTo({ apiVersion, kind, metadata }: Job): Readonly<Record<string, unknown>> {
  const { name, namespace, uid, resourceVersion: _changes } = metadata;
  return { apiVersion, kind, name, namespace, uid };
}
