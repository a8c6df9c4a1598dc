import { deepEqual } from "@levelset/core";
import type { Affinity, JobSpec, PodTemplateSpec } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { invalidField, requiredField } from "../../field.ts";
import { dnsLabelProblems } from "../../names.ts";
import type { KindRules } from "../../rules.ts";
import { unchangedErrors } from "../apps/replicas.ts";
import type { Errors } from "../check.ts";
import { withTimes } from "../condition-times.ts";
import { isSelected, selectorErrors } from "../core/selector.ts";
import { fieldOf, present } from "../loose.ts";
import type { Loose } from "../loose.ts";
import { selectedErrors } from "../pod/template.ts";
import { jobSpecDefaults, jobSpecErrors } from "./job-spec.ts";
import { jobStatusErrors } from "./job-status.ts";

type LooseSpec = Loose<JobSpec>;
type LooseTemplate = Loose<PodTemplateSpec>;

const CONTROLLER_UID = "batch.kubernetes.io/controller-uid";
const NAME_LABELS = ["job-name", "batch.kubernetes.io/job-name"];
const UID_LABELS = ["controller-uid", CONTROLLER_UID];

/** Jobs: their pods are told apart by the job's uid, and what they run is fixed. */
export const jobRules: KindRules = {
  emptyStatus: {},
  defaults: (draft) =>
    withTimes({ ...draft, spec: jobSpecDefaults(fieldOf<JobSpec>(draft, "spec") ?? {}) }, [
      "lastProbeTime",
      "lastTransitionTime",
    ]),
  prepareCreate: (object) => {
    const spec = specOf(object);
    return labelled(spec.manualSelector === true ? object : { ...object, spec: withSelector(spec, object.metadata) });
  },
  prepareUpdate: labelled,
  validate: jobErrors,
  validateStatus: jobStatusErrors,
};

/** A job without labels has those of its pods. */
function labelled(object: ApiObject): ApiObject {
  const given = specOf(object).template?.metadata?.labels;
  if (given === undefined || Object.keys(object.metadata.labels ?? {}).length > 0) return object;
  const labels = Object.fromEntries(Object.entries(given).map(([key, value = ""]) => [key, value]));
  return { ...object, metadata: { ...object.metadata, labels } };
}

function specOf(object: ApiObject): LooseSpec {
  return fieldOf<JobSpec>(object, "spec") ?? {};
}

/** The labels that make a job's pods its own, and the selector for them. What a writer gave is left for validation to refuse. */
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

function* jobErrors(object: ApiObject, old: ApiObject | undefined): Errors {
  const spec = specOf(object);
  yield* generatedErrors(spec, object.metadata);
  yield* wholeSpecErrors(spec);
  if (old !== undefined) {
    // The real server says it twice: once about the job, and once about the change.
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

function* wholeSpecErrors(spec: LooseSpec): Errors {
  yield* jobSpecErrors("spec", spec);
  if (spec.selector === undefined) yield requiredField("spec.selector");
  else yield* selectorErrors("spec.selector", spec.selector);
  yield* selectedErrors("spec.template", spec.selector, spec.template ?? {});
}

function* generatedErrors(spec: LooseSpec, { name, uid }: ApiObject["metadata"]): Errors {
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
  if (!isSelected(spec.selector, Object.fromEntries(expected))) {
    yield invalidField("spec.selector", spec.selector, "`selector` not auto-generated");
  }
}

function* changeErrors(next: LooseSpec, oldJob: ApiObject): Errors {
  const old = specOf(oldJob);
  if (next.completionMode !== "Indexed") yield* unchangedErrors("spec.completions", next.completions, old.completions);
  else if (next.completions !== old.completions && next.completions !== next.parallelism) {
    const why = "can only be modified in tandem with spec.parallelism";
    yield invalidField("spec.completions", next.completions, why);
  }
  yield* unchangedErrors("spec.selector", next.selector, old.selector);
  yield* templateChangeErrors(next.template ?? {}, old, oldJob);
  for (const field of [
    "completionMode",
    "podFailurePolicy",
    "backoffLimitPerIndex",
    "managedBy",
    "successPolicy",
  ] as const) {
    yield* unchangedErrors(`spec.${field}`, next[field], old[field]);
  }
}

/** The template is fixed; that of a job which is suspended and never started may still say where its pods go. */
function* templateChangeErrors(next: LooseTemplate, old: LooseSpec, oldJob: ApiObject): Errors {
  const before = old.template ?? {};
  const { startTime } = fieldOf<{ readonly startTime: string }>(oldJob, "status") ?? {};
  const isIdle = old.suspend === true && startTime === undefined;
  const expected = isIdle ? withPlacement(before, next) : before;
  if (deepEqual(next, expected)) return;
  if (isIdle && deepEqual(withResources(next, before), withResources(expected, before))) return;
  const [at, value] = old.suspend === true && isIdle ? ["spec.template.spec", next.spec] : ["spec.template", next];
  yield invalidField(at, value, "field is immutable");
}

function withPlacement(template: LooseTemplate, from: LooseTemplate): LooseTemplate {
  const { spec = {} } = template;
  const affinity: Loose<Affinity> = present({ ...spec.affinity, nodeAffinity: from.spec?.affinity?.nodeAffinity });
  return present({
    ...template,
    metadata: present({ ...template.metadata, labels: from.metadata?.labels, annotations: from.metadata?.annotations }),
    spec: present({
      ...spec,
      affinity: Object.keys(affinity).length === 0 ? undefined : affinity,
      nodeSelector: from.spec?.nodeSelector,
      tolerations: from.spec?.tolerations,
      schedulingGates: from.spec?.schedulingGates,
    }),
  });
}

/** The template with the resources of another one's containers, where these are the same. */
function withResources(template: LooseTemplate, from: LooseTemplate): LooseTemplate {
  const taken = (field: "containers" | "initContainers"): NonNullable<LooseTemplate["spec"]>["containers"] =>
    template.spec?.[field]?.map((container, index) => {
      const other = from.spec?.[field]?.[index];
      return other?.name === container.name ? { ...container, resources: other?.resources } : container;
    });
  const spec = present({ ...template.spec, containers: taken("containers"), initContainers: taken("initContainers") });
  return { ...template, spec };
}
