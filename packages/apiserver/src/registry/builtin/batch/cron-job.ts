import type { CronJob, NewOf } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { invalidField, requiredField, unsupportedField } from "../../field-errors.ts";
import type { KindStrategy } from "../../strategy.ts";
import { enumErrors, isEmptyString, nonNegativeErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import { defaultIfEmpty } from "../pod/defaults.ts";
import { jobSpecErrors, jobTemplateDefaults } from "./job-spec.ts";
import { scheduleProblem, timeZoneProblem } from "./schedule.ts";

type Spec = NewOf<typeof CronJob>["spec"];

/** Maximum length of a name: the controller appends 11 characters to it (`pkg/apis/batch/validation/validation.go`). */
const NAME_MAX = 52;

/** Strategy of CronJobs: a schedule and a job template without selector. */
export const cronJobStrategy: KindStrategy = {
  initialStatus: {},
  defaults: (draft) => {
    const spec = unvalidatedField<Spec>(draft, "spec") ?? {};
    const { jobTemplate = {} } = spec;
    return {
      ...draft,
      spec: {
        ...spec,
        concurrencyPolicy: defaultIfEmpty(spec.concurrencyPolicy, "Allow"),
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

function* cronJobErrors(object: ApiObject, old: ApiObject | undefined): FieldErrors {
  const spec = unvalidatedField<Spec>(object, "spec") ?? {};
  const before = old === undefined ? undefined : unvalidatedField<Spec>(old, "spec");
  if (isEmptyString(spec.schedule)) yield requiredField("spec.schedule");
  else yield* scheduleErrors(spec.schedule, before?.schedule, spec.timeZone);
  yield* nonNegativeErrors("spec.startingDeadlineSeconds", spec.startingDeadlineSeconds);
  if (spec.timeZone !== undefined && spec.timeZone !== before?.timeZone) {
    const problem = timeZoneProblem(spec.timeZone);
    if (problem !== undefined) yield invalidField("spec.timeZone", spec.timeZone, problem);
  }
  yield* enumErrors("spec.concurrencyPolicy", spec.concurrencyPolicy, ["Allow", "Forbid", "Replace"]);
  const job = spec.jobTemplate?.spec ?? {};
  yield* jobSpecErrors("spec.jobTemplate.spec", job);
  if (job.selector !== undefined) {
    yield invalidField("spec.jobTemplate.spec.selector", job.selector, "`selector` will be auto-generated");
  }
  if (job.manualSelector === true) {
    yield unsupportedField("spec.jobTemplate.spec.manualSelector", true, ["nil", "false"]);
  }
  yield* nonNegativeErrors("spec.successfulJobsHistoryLimit", spec.successfulJobsHistoryLimit);
  yield* nonNegativeErrors("spec.failedJobsHistoryLimit", spec.failedJobsHistoryLimit);
  const { name } = object.metadata;
  if (old === undefined && name.length > NAME_MAX) {
    yield invalidField("metadata.name", name, `must be no more than ${NAME_MAX} characters`);
  }
}

function* scheduleErrors(schedule: string, before: string | undefined, zone: string | undefined): FieldErrors {
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
