import type { CronJob, NewOf } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { invalidField, requiredField, unsupportedField } from "../../field.ts";
import type { KindRules } from "../../rules.ts";
import { choiceErrors, isBlank, notNegative } from "../check.ts";
import type { Errors } from "../check.ts";
import { fieldOf } from "../loose.ts";
import { or } from "../pod/defaults.ts";
import { jobSpecErrors, jobTemplateDefaults } from "./job-spec.ts";
import { scheduleProblem, timeZoneProblem } from "./schedule.ts";

type Spec = NewOf<typeof CronJob>["spec"];

/** Jobs append eleven characters to the name. */
const NAME_MAX = 52;

/** CronJobs: a schedule, and jobs that have no selector yet. */
export const cronJobRules: KindRules = {
  emptyStatus: {},
  defaults: (draft) => {
    const spec = fieldOf<Spec>(draft, "spec") ?? {};
    const { jobTemplate = {} } = spec;
    return {
      ...draft,
      spec: {
        ...spec,
        concurrencyPolicy: or(spec.concurrencyPolicy, "Allow"),
        suspend: spec.suspend ?? false,
        successfulJobsHistoryLimit: spec.successfulJobsHistoryLimit ?? 3,
        failedJobsHistoryLimit: spec.failedJobsHistoryLimit ?? 1,
        jobTemplate: {
          ...jobTemplate,
          metadata: jobTemplate.metadata ?? {},
          spec: jobTemplateDefaults(jobTemplate.spec),
        },
      },
    };
  },
  validate: cronJobErrors,
};

function* cronJobErrors(object: ApiObject, old: ApiObject | undefined): Errors {
  const spec = fieldOf<Spec>(object, "spec") ?? {};
  const before = old === undefined ? undefined : fieldOf<Spec>(old, "spec");
  if (isBlank(spec.schedule)) yield requiredField("spec.schedule");
  else yield* scheduleErrors(spec.schedule, before?.schedule, spec.timeZone);
  yield* notNegative("spec.startingDeadlineSeconds", spec.startingDeadlineSeconds);
  if (spec.timeZone !== undefined && spec.timeZone !== before?.timeZone) {
    const problem = timeZoneProblem(spec.timeZone);
    if (problem !== undefined) yield invalidField("spec.timeZone", spec.timeZone, problem);
  }
  yield* choiceErrors("spec.concurrencyPolicy", spec.concurrencyPolicy, ["Allow", "Forbid", "Replace"]);
  const job = spec.jobTemplate?.spec ?? {};
  yield* jobSpecErrors("spec.jobTemplate.spec", job);
  if (job.selector !== undefined) {
    yield invalidField("spec.jobTemplate.spec.selector", job.selector, "`selector` will be auto-generated");
  }
  if (job.manualSelector === true) {
    yield unsupportedField("spec.jobTemplate.spec.manualSelector", true, ["nil", "false"]);
  }
  yield* notNegative("spec.successfulJobsHistoryLimit", spec.successfulJobsHistoryLimit);
  yield* notNegative("spec.failedJobsHistoryLimit", spec.failedJobsHistoryLimit);
  const { name } = object.metadata;
  if (old === undefined && name.length > NAME_MAX) {
    yield invalidField("metadata.name", name, `must be no more than ${NAME_MAX} characters`);
  }
}

function* scheduleErrors(schedule: string, before: string | undefined, zone: string | undefined): Errors {
  const at = "spec.schedule";
  const problem = scheduleProblem(schedule);
  if (problem !== undefined) yield invalidField(at, schedule, problem);
  if (!schedule.includes("TZ")) return;
  if (before?.includes("TZ") !== true) {
    yield invalidField(at, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  } else if (zone !== undefined) {
    yield invalidField(at, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule");
  }
}
