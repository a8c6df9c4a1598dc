import { deepEqual } from "@levelset/core/internal";
import { Job } from "@levelset/core";
import type { Affinity, JobSpec, PodTemplateSpec, ObjectOf } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  invalidField,
  requiredField,
  dnsLabelProblems,
  formatAge,
  humanDuration,
  AGE_COLUMN,
  tableColumn,
  CONTAINER_COLUMNS,
  NAME_COLUMN,
  printer,
  wideColumn,
  containersText,
  selectorCell,
  builtinResource,
  fieldAt,
  NAME_FIELDS,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { immutableFieldErrors } from "../apps/replicas.ts";
import type { FieldErrors } from "../field-checks.ts";
import { withConditionTimes } from "../condition-times.ts";
import { selectorMatches, selectorErrors } from "../core/selector.ts";
import { unvalidatedField, omitUndefined } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { selectorMismatchErrors } from "../core/pod/template.ts";
import { jobSpecDefaults, jobSpecErrors } from "./job-spec.ts";
import { jobStatusErrors } from "./job-status.ts";

type LooseSpec = Unvalidated<JobSpec>;

type LooseTemplate = Unvalidated<PodTemplateSpec>;

const CONTROLLER_UID = "batch.kubernetes.io/controller-uid";

const NAME_LABELS = ["job-name", "batch.kubernetes.io/job-name"];

const UID_LABELS = ["controller-uid", CONTROLLER_UID];

/** Strategy of Jobs: the selector is generated from the uid, and the template is immutable. */
const jobStrategy: KindStrategy = {
  defaultPropagationPolicy: "Orphan",
  deletionWarning:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set " +
    "propagationPolicy=Orphan to suppress this warning",
  initialStatus: {},
  defaults: (draft) =>
    withConditionTimes({ ...draft, spec: jobSpecDefaults(unvalidatedField<JobSpec>(draft, "spec") ?? {}) }, [
      "lastProbeTime",
      "lastTransitionTime",
    ]),
  prepareForCreate: (object) => {
    const spec = specOf(object);
    return labelled(spec.manualSelector === true ? object : { ...object, spec: withSelector(spec, object.metadata) });
  },
  prepareForUpdate: labelled,
  validate: jobErrors,
  validateStatusUpdate: jobStatusErrors,
};

/** Copies the labels of the template to a Job without labels. */
function labelled(object: ApiObject): ApiObject {
  const given = specOf(object).template?.metadata?.labels;
  if (given === undefined || Object.keys(object.metadata.labels ?? {}).length > 0) return object;
  const labels = Object.fromEntries(Object.entries(given).map(([key, value = ""]) => [key, value]));
  return { ...object, metadata: { ...object.metadata, labels } };
}

function specOf(object: ApiObject): LooseSpec {
  return unvalidatedField<JobSpec>(object, "spec") ?? {};
}

/** Adds the generated labels and selector. Values set by the client stay and are rejected by validation. */
function withSelector(spec: LooseSpec, { name, uid }: ApiObject["metadata"]): LooseSpec {
  const made = Object.fromEntries([
    ...NAME_LABELS.map((label) => [label, name] as const),
    ...UID_LABELS.map((label) => [label, uid] as const),
  ]);
  const { template = {}, selector = {} } = spec;
  const labels = { ...made, ...template.metadata?.labels };
  return {
    ...spec,
    selector: { ...selector, matchLabels: { [CONTROLLER_UID]: uid, ...selector.matchLabels } },
    template: { ...template, metadata: { ...template.metadata, labels } },
  };
}

function* jobErrors(object: ApiObject, old: ApiObject | undefined): FieldErrors {
  const spec = specOf(object);
  yield* generatedErrors(spec, object.metadata);
  yield* wholeSpecErrors(spec);
  if (old !== undefined) {
    // Reported twice, for the Job and for the update (pkg/apis/batch/validation/validation.go, Kubernetes 1.36).
    yield* wholeSpecErrors(spec);
    yield* changeErrors(spec, old);
  } else if (spec.completionMode === "Indexed" && (spec.completions ?? 0) > 0) {
    const { name } = object.metadata;
    const host = `${name}-${(spec.completions ?? 0) - 1}`;
    if (dnsLabelProblems(host).length > 0) {
      yield invalidField("metadata.name", name, `will not able to create pod with invalid DNS label: ${host}`);
    }
  }
}

function* wholeSpecErrors(spec: LooseSpec): FieldErrors {
  yield* jobSpecErrors("spec", spec);
  if (spec.selector === undefined) yield requiredField("spec.selector");
  else yield* selectorErrors("spec.selector", spec.selector);
  yield* selectorMismatchErrors("spec.template", spec.selector, spec.template ?? {});
}

function* generatedErrors(spec: LooseSpec, { name, uid }: ApiObject["metadata"]): FieldErrors {
  if (spec.manualSelector === true || spec.selector === undefined) return;
  const labels = spec.template?.metadata?.labels ?? {};
  const expected = [
    ["controller-uid", uid],
    ["job-name", name],
    [CONTROLLER_UID, uid],
    ["batch.kubernetes.io/job-name", name],
  ] as const;
  for (const [label, value] of expected) {
    const at = `spec.template.metadata.labels[${label}]`;
    if (labels[label] === undefined) yield requiredField(at, `must be '${value}'`);
    else if (labels[label] !== value) yield invalidField(at, labels, `must be '${value}'`);
  }
  if (!selectorMatches(spec.selector, Object.fromEntries(expected))) {
    yield invalidField("spec.selector", spec.selector, "`selector` not auto-generated");
  }
}

function* changeErrors(next: LooseSpec, oldJob: ApiObject): FieldErrors {
  const old = specOf(oldJob);
  if (next.completionMode !== "Indexed")
    yield* immutableFieldErrors("spec.completions", next.completions, old.completions);
  else if (next.completions !== old.completions && next.completions !== next.parallelism) {
    const why = "can only be modified in tandem with spec.parallelism";
    yield invalidField("spec.completions", next.completions, why);
  }
  yield* immutableFieldErrors("spec.selector", next.selector, old.selector);
  yield* templateChangeErrors(next.template ?? {}, old, oldJob);
  for (const field of [
    "completionMode",
    "podFailurePolicy",
    "backoffLimitPerIndex",
    "managedBy",
    "successPolicy",
  ] as const) {
    yield* immutableFieldErrors(`spec.${field}`, next[field], old[field]);
  }
}

/**
 * Validates that the template is unchanged. Scheduling directives of a suspended, never started Job are mutable
 * (KEP-2926).
 */
function* templateChangeErrors(next: LooseTemplate, old: LooseSpec, oldJob: ApiObject): FieldErrors {
  const before = old.template ?? {};
  const { startTime } = unvalidatedField<{ readonly startTime: string }>(oldJob, "status") ?? {};
  const isIdle = old.suspend === true && startTime === undefined;
  const expected = isIdle ? withPlacement(before, next) : before;
  if (deepEqual(next, expected)) return;
  if (isIdle && deepEqual(withResources(next, before), withResources(expected, before))) return;
  const [at, value] = old.suspend === true && isIdle ? ["spec.template.spec", next.spec] : ["spec.template", next];
  yield invalidField(at, value, "field is immutable");
}

function withPlacement(template: LooseTemplate, from: LooseTemplate): LooseTemplate {
  const { spec = {} } = template;
  const affinity: Unvalidated<Affinity> = omitUndefined({
    ...spec.affinity,
    nodeAffinity: from.spec?.affinity?.nodeAffinity,
  });
  return omitUndefined({
    ...template,
    metadata: omitUndefined({
      ...template.metadata,
      labels: from.metadata?.labels,
      annotations: from.metadata?.annotations,
    }),
    spec: omitUndefined({
      ...spec,
      affinity: Object.keys(affinity).length === 0 ? undefined : affinity,
      nodeSelector: from.spec?.nodeSelector,
      tolerations: from.spec?.tolerations,
      schedulingGates: from.spec?.schedulingGates,
    }),
  });
}

/** Returns the template with the container resources of another one, if the containers are the same. */
function withResources(template: LooseTemplate, from: LooseTemplate): LooseTemplate {
  const taken = (field: "containers" | "initContainers"): NonNullable<LooseTemplate["spec"]>["containers"] =>
    template.spec?.[field]?.map((container, index) => {
      const other = from.spec?.[field]?.[index];
      return other?.name === container.name ? { ...container, resources: other?.resources } : container;
    });
  const spec = omitUndefined({
    ...template.spec,
    containers: taken("containers"),
    initContainers: taken("initContainers"),
  });
  return { ...template, spec };
}

type JobObject = ObjectOf<typeof Job>;

const jobPrinter: Printer = printer<typeof Job>(
  [
    NAME_COLUMN,
    tableColumn("Status", "State of the job."),
    tableColumn("Completions", "Succeeded pods of required pods."),
    tableColumn("Duration", "Duration of the job so far."),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    wideColumn("Selector", "Label selector of the pods."),
  ],
  (job, now) => [
    statusText(job),
    completionsText(job),
    durationText(job, now),
    ...containersText(job.spec.template.spec?.containers),
    selectorCell(job.spec.selector),
  ],
);

function statusText({ status, metadata }: JobObject): string {
  const holds = (type: string): boolean =>
    status?.conditions?.find((condition) => condition.type === type)?.status === "True";
  if (holds("Complete")) return "Complete";
  if (holds("Failed")) return "Failed";
  if (metadata.deletionTimestamp !== undefined) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(holds) ?? "Running";
}

function completionsText({ spec, status }: JobObject): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText({ status }: JobObject, now: number): string {
  const { startTime, completionTime } = status ?? {};
  if (startTime === undefined) return "";
  return completionTime === undefined
    ? formatAge(startTime, now)
    : humanDuration(Date.parse(completionTime) - Date.parse(startTime));
}

/** Jobs. */
export const jobResource: Resource = builtinResource({
  kind: Job,
  categories: ["all"],
  hasGeneration: true,
  strategy: jobStrategy,
  printer: jobPrinter,
  fieldLabels: {
    fields: { ...NAME_FIELDS, "status.successful": fieldAt("status.succeeded", "0") },
    unknown: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
  },
});
