import type { NewOf } from "@levelset/core";
import { Deployment } from "@levelset/core";
import { FieldSet } from "@levelset/core/apply";
import type { ApiObject } from "../../store/index.ts";
import {
  forbiddenField,
  invalidField,
  unsupportedField,
  AGE_COLUMN,
  tableColumn,
  CONTAINER_COLUMNS,
  NAME_COLUMN,
  printer,
  containersText,
  formatSelectorCell,
  builtinResource,
  SCALE_SUBRESOURCE,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { nonNegativeErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { withConditionTimes } from "../condition-times.ts";
import { unvalidatedField, omitUndefined } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { defaultIfEmpty, templateDefaults } from "../core/pod/defaults.ts";
import {
  collisionCountErrors,
  countErrors,
  requiredSelectorErrors,
  replicaTemplateErrors,
  immutableFieldErrors,
  SELECTOR,
  readyText,
} from "./replicas.ts";
import type { ReplicaStatusCounts } from "./replicas.ts";
import { positiveIntOrPercentErrors, isZeroIntOrPercent, notMoreThan100PercentErrors } from "./rolling-update.ts";

type Spec = NewOf<typeof Deployment>["spec"];

type LooseSpec = Unvalidated<Spec>;

type Strategy = NonNullable<LooseSpec["strategy"]>;

const COUNTS = ["observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas"];

/**
 * Strategy of Deployments: the selector is immutable, and a change of annotations increments the generation
 * (`pkg/registry/apps/deployment/strategy.go`, Kubernetes 1.36).
 */
const deploymentStrategy: KindStrategy = {
  initialStatus: {},
  defaults: (draft) =>
    withConditionTimes({ ...draft, spec: defaults(unvalidatedField<Spec>(draft, "spec")) }, [
      "lastUpdateTime",
      "lastTransitionTime",
    ]),
  generationFields: ({ spec, metadata }) => ({ spec, annotations: metadata.annotations ?? {} }),
  prepareForStatusUpdate: (object, old) => {
    const { labels: _labels, ...metadata } = object.metadata;
    const { labels } = old.metadata;
    return { ...object, metadata: { ...metadata, ...(labels === undefined ? {} : { labels }) } };
  },
  validate: deploymentErrors,
  validateStatusUpdate: function* (object, old) {
    const next = unvalidatedField<ReplicaStatusCounts>(object, "status") ?? {};
    const fields = [...COUNTS, "unavailableReplicas", "terminatingReplicas", "collisionCount"];
    yield* countErrors(next, fields, ["updatedReplicas", "readyReplicas", "availableReplicas"], "readyReplicas");
    yield* collisionCountErrors(next, unvalidatedField<ReplicaStatusCounts>(old, "status") ?? {});
  },
};

function defaults(spec: LooseSpec = {}): LooseSpec {
  return {
    ...spec,
    replicas: spec.replicas ?? 1,
    template: templateDefaults(spec.template),
    strategy: strategyDefaults(spec.strategy),
    revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
    progressDeadlineSeconds: spec.progressDeadlineSeconds ?? 600,
  };
}

function strategyDefaults(strategy: Strategy = {}): Strategy {
  const type = defaultIfEmpty(strategy.type, "RollingUpdate");
  if (type !== "RollingUpdate") return { ...strategy, type };
  const { maxSurge = "25%", maxUnavailable = "25%" } = strategy.rollingUpdate ?? {};
  return { type, rollingUpdate: { maxSurge, maxUnavailable } };
}

function* deploymentErrors(object: ApiObject, old: ApiObject | undefined): FieldErrors {
  const spec = unvalidatedField<Spec>(object, "spec") ?? {};
  const { minReadySeconds = 0, progressDeadlineSeconds = 0 } = spec;
  yield* nonNegativeErrors("spec.replicas", spec.replicas);
  yield* requiredSelectorErrors("spec.selector", spec.selector, "deployment");
  yield* replicaTemplateErrors("spec", spec.selector, spec.template);
  yield* strategyErrors("spec.strategy", spec.strategy ?? {});
  yield* nonNegativeErrors("spec.minReadySeconds", minReadySeconds);
  yield* nonNegativeErrors("spec.revisionHistoryLimit", spec.revisionHistoryLimit);
  yield* nonNegativeErrors("spec.progressDeadlineSeconds", progressDeadlineSeconds);
  if (progressDeadlineSeconds <= minReadySeconds) {
    yield invalidField("spec.progressDeadlineSeconds", progressDeadlineSeconds, "must be greater than minReadySeconds");
  }
  if (old !== undefined) {
    yield* immutableFieldErrors("spec.selector", spec.selector, unvalidatedField<Spec>(old, "spec")?.selector);
  }
}

function* strategyErrors(path: string, strategy: Strategy): FieldErrors {
  const { type, rollingUpdate } = strategy;
  if (type === "Recreate") {
    if (rollingUpdate === undefined) return;
    yield forbiddenField(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'");
  } else if (type === "RollingUpdate") {
    const { maxSurge, maxUnavailable } = rollingUpdate ?? {};
    const at = `${path}.rollingUpdate`;
    yield* positiveIntOrPercentErrors(`${at}.maxUnavailable`, maxUnavailable);
    yield* positiveIntOrPercentErrors(`${at}.maxSurge`, maxSurge);
    if (isZeroIntOrPercent(maxUnavailable) && isZeroIntOrPercent(maxSurge)) {
      yield invalidField(`${at}.maxUnavailable`, maxUnavailable, "may not be 0 when `maxSurge` is 0");
    }
    yield* notMoreThan100PercentErrors(`${at}.maxUnavailable`, maxUnavailable);
  } else {
    yield unsupportedField(path, omitUndefined(strategy), ["Recreate", "RollingUpdate"]);
  }
}

const deploymentPrinter: Printer = printer<typeof Deployment>(
  [
    NAME_COLUMN,
    tableColumn("Ready", "Ready pods of desired pods."),
    tableColumn("Up-to-date", "Pods of the current template."),
    tableColumn("Available", "Available pods."),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    SELECTOR,
  ],
  (deployment) => [
    readyText(deployment),
    deployment.status?.updatedReplicas ?? 0,
    deployment.status?.availableReplicas ?? 0,
    ...containersText(deployment.spec.template.spec?.containers),
    formatSelectorCell(deployment.spec.selector, "<invalid>"),
  ],
);

/** Deployments. */
export const deploymentResource: Resource = builtinResource({
  kind: Deployment,
  categories: ["all"],
  subresources: [SCALE_SUBRESOURCE],
  hasGeneration: true,
  strategy: deploymentStrategy,
  printer: deploymentPrinter,
  statusResetFields: FieldSet.of(["f:spec"], ["f:metadata", "f:labels"]),
});
