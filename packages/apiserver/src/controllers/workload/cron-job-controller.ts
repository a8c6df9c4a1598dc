import {
  controllerReference,
  CronJob as CronJobKind,
  deepEqual,
  isAlreadyExists,
  Job as JobKind,
  timestamp,
} from "@levelset/core";
import type { Controller } from "../controller.ts";
import type { Change } from "../feed.ts";
import { parseStoreKey } from "../owner-index.ts";
import { isTrue } from "./condition.ts";
import { planCronJob } from "./cron-job.ts";
import type { CronJob } from "./cron-job.ts";
import { parseCron } from "./cron-schedule.ts";
import { isJobFinished } from "./job.ts";
import type { Job } from "./job.ts";
import { affectedOwners, ownedBy } from "./owned.ts";
import type { WorkloadWorld } from "./world.ts";

const COMPONENT = "cronjob-controller";

/** Starts jobs when their time has come. */
export class CronJobController implements Controller {
  readonly name = "cron job controller";
  readonly #world: WorkloadWorld;

  constructor(world: WorkloadWorld) {
    this.#world = world;
  }

  affected(change: Change): Iterable<string> {
    return affectedOwners(CronJobKind, change);
  }

  async sync(key: string): Promise<number | undefined> {
    const { actor, clock, recorder } = this.#world;
    const { namespace, name } = parseStoreKey(key);
    const cronJob = actor.get(CronJobKind, namespace, name);
    if (cronJob === undefined) return undefined;
    const schedule = parseCron(cronJob.spec.schedule, cronJob.spec.timeZone);
    if (schedule === undefined) {
      const message = `unparseable schedule: ${cronJob.spec.schedule}`;
      await recorder.record(COMPONENT, cronJob, { type: "Warning", reason: "UnparseableSchedule", message });
      return undefined;
    }
    const jobs = ownedBy(this.#world, cronJob, JobKind);
    const plan = planCronJob({ cronJob, jobs, schedule, now: clock.now() });
    for (const job of plan.remove) await actor.remove(JobKind, job, { propagationPolicy: "Background" });
    if (plan.start !== undefined) await this.#start(cronJob, plan.start);
    await this.#report(cronJob, plan.start);
    return plan.nextMs;
  }

  async #start(cronJob: CronJob, due: number): Promise<void> {
    const { actor, recorder } = this.#world;
    const { namespace = "", name } = cronJob.metadata;
    const { metadata, spec } = cronJob.spec.jobTemplate;
    const annotations = { ...metadata?.annotations, "batch.kubernetes.io/cronjob-scheduled-timestamp": timestamp(due) };
    try {
      const job = await actor.create(JobKind, namespace, {
        metadata: {
          // The same for the same time, so that no time is served twice.
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
    const jobs = ownedBy(this.#world, cronJob, JobKind);
    const active = jobs.filter((job) => !isJobFinished(job)).map(referenceTo);
    const ends = jobs
      .filter((job) => isTrue(job.status?.conditions, "Complete"))
      .map((job) => job.status?.completionTime ?? "");
    const latest = [...ends, cronJob.status?.lastSuccessfulTime ?? ""].toSorted().at(-1) ?? "";
    const lastScheduleTime = started === undefined ? cronJob.status?.lastScheduleTime : timestamp(started);
    const status = {
      ...(active.length === 0 ? {} : { active }),
      ...(typeof lastScheduleTime === "string" ? { lastScheduleTime } : {}),
      ...(latest === "" ? {} : { lastSuccessfulTime: latest }),
    };
    if (deepEqual(cronJob.status ?? {}, status)) return;
    await this.#world.actor.changeStatus(CronJobKind, cronJob, () => status);
  }
}

function referenceTo({ apiVersion, kind, metadata }: Job): Readonly<Record<string, unknown>> {
  const { name, namespace, uid, resourceVersion: _changes } = metadata;
  return { apiVersion, kind, name, namespace, uid };
}
