import type { NewOf } from "@levelset/core";
import { CronJob } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  invalidField,
  requiredField,
  unsupportedField,
  formatAge,
  AGE_COLUMN,
  tableColumn,
  CONTAINER_COLUMNS,
  integerColumn,
  NAME_COLUMN,
  printer,
  wideColumn,
  containersText,
  NONE_CELL,
  selectorCell,
  UNSET_CELL,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { enumErrors, isEmptyString, nonNegativeErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import { defaultIfEmpty } from "../core/pod/defaults.ts";
import { jobSpecErrors, jobTemplateDefaults } from "./job-spec.ts";
import { scheduleProblem, timeZoneProblem } from "./schedule.ts";

type Spec = NewOf<typeof CronJob>["spec"];

/** Maximum length of a name: the controller appends 11 characters to it (`pkg/apis/batch/validation/validation.go`). */
const NAME_MAX = 52;

/** Strategy of CronJobs: a schedule and a job template without selector. */
const cronJobStrategy: KindStrategy = {
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

const cronJobPrinter: Printer = printer<typeof CronJob>(
  [
    NAME_COLUMN,
    tableColumn("Schedule", "Cron schedule."),
    tableColumn("Timezone", "Time zone of the schedule."),
    tableColumn("Suspend", "Whether the schedule is suspended.", { type: "boolean" }),
    integerColumn("Active", "Running jobs."),
    tableColumn("Last Schedule", "How long ago a job was due."),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    wideColumn("Selector", "Label selector of the pods."),
  ],
  (cron, now) => {
    const { spec, status } = cron;
    return [
      spec.schedule,
      spec.timeZone ?? NONE_CELL,
      spec.suspend === undefined ? UNSET_CELL : spec.suspend ? "True" : "False",
      status?.active?.length ?? 0,
      status?.lastScheduleTime === undefined ? NONE_CELL : formatAge(status.lastScheduleTime, now),
      ...containersText(spec.jobTemplate.spec?.template.spec?.containers),
      selectorCell(spec.jobTemplate.spec?.selector),
    ];
  },
);

/** CronJobs. */
export const cronJobResource: Resource = builtinResource({
  kind: CronJob,
  categories: ["all"],
  hasGeneration: true,
  strategy: cronJobStrategy,
  printer: cronJobPrinter,
});
