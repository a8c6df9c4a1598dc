import { deepEqual } from "@levelset/core/internal";
import { DaemonSet } from "@levelset/core";
import type { NewOf } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import type { UnvalidatedObject, KindStrategy, Printer, Resource } from "../../resource/index.ts";
import {
  invalidField,
  requiredField,
  unsupportedField,
  AGE_COLUMN,
  tableColumn,
  CONTAINER_COLUMNS,
  integerColumn,
  NAME_COLUMN,
  printer,
  containersText,
  labelsText,
  selectorCell,
  builtinResource,
} from "../../resource/index.ts";
import { nonNegativeErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { withConditionTimes } from "../condition-times.ts";
import { isEmptySelector, selectorErrors } from "../core/selector.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { defaultIfEmpty, templateDefaults } from "../core/pod/defaults.ts";
import { alwaysRestartErrors, selectorMismatchErrors, templateErrors } from "../core/pod/template.ts";
import { collisionCountErrors, countErrors, immutableFieldErrors, SELECTOR } from "./replicas.ts";
import type { ReplicaStatusCounts } from "./replicas.ts";
import { positiveIntOrPercentErrors, isZeroIntOrPercent, notMoreThan100PercentErrors } from "./rolling-update.ts";

type Spec = NewOf<typeof DaemonSet>["spec"];

type LooseSpec = Unvalidated<Spec>;

type Strategy = NonNullable<LooseSpec["updateStrategy"]>;

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

const COUNTS = [
  "currentNumberScheduled",
  "numberMisscheduled",
  "desiredNumberScheduled",
  "numberReady",
  "observedGeneration",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberUnavailable",
  "collisionCount",
];

/** Strategy of DaemonSets: the selector is immutable; an annotation holds the template generation. */
const daemonSetStrategy: KindStrategy = {
  initialStatus: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  defaults: (draft) =>
    withTemplateGeneration(
      withConditionTimes({ ...draft, spec: defaults(unvalidatedField<Spec>(draft, "spec")) }, ["lastTransitionTime"]),
      templateGeneration(draft),
    ),
  prepareForCreate: (object) => withTemplateGeneration(object, Math.max(templateGeneration(object), 1)),
  prepareForUpdate: (object, old) => {
    const isNew = !deepEqual(
      unvalidatedField<Spec>(object, "spec")?.template,
      unvalidatedField<Spec>(old, "spec")?.template,
    );
    return withTemplateGeneration(object, templateGeneration(old) + (isNew ? 1 : 0));
  },
  validate: daemonSetErrors,
  validateStatusUpdate: function* (object, old) {
    const next = unvalidatedField<ReplicaStatusCounts>(object, "status") ?? {};
    yield* countErrors(next, COUNTS, [], "");
    yield* collisionCountErrors(next, unvalidatedField<ReplicaStatusCounts>(old, "status") ?? {});
  },
};

function templateGeneration(object: UnvalidatedObject): number {
  const generation = Number.parseInt(object.metadata.annotations?.[TEMPLATE_GENERATION] ?? "0", 10);
  return Number.isNaN(generation) ? 0 : generation;
}

function withTemplateGeneration<T extends UnvalidatedObject>(object: T, generation: number): T {
  const annotations = { ...object.metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function defaults(spec: LooseSpec = {}): LooseSpec {
  return {
    ...spec,
    template: templateDefaults(spec.template),
    updateStrategy: strategyDefaults(spec.updateStrategy),
    revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
  };
}

function strategyDefaults(strategy: Strategy = {}): Strategy {
  const type = defaultIfEmpty(strategy.type, "RollingUpdate");
  if (type !== "RollingUpdate") return { ...strategy, type };
  const { maxSurge = 0, maxUnavailable = 1 } = strategy.rollingUpdate ?? {};
  return { type, rollingUpdate: { maxSurge, maxUnavailable } };
}

function* daemonSetErrors(object: ApiObject, old: ApiObject | undefined): FieldErrors {
  const spec = unvalidatedField<Spec>(object, "spec") ?? {};
  const { selector, template = {} } = spec;
  if (old !== undefined)
    yield* immutableFieldErrors("spec.selector", selector, unvalidatedField<Spec>(old, "spec")?.selector);
  yield* selectorErrors("spec.selector", selector);
  yield* selectorMismatchErrors("spec.template", selector, template);
  if (selector !== undefined && isEmptySelector(selector)) {
    yield invalidField("spec.selector", selector, "empty selector is invalid for daemonset");
  }
  yield* templateErrors("spec.template", template);
  yield* alwaysRestartErrors("spec.template", template, "DaemonSet");
  yield* nonNegativeErrors("spec.minReadySeconds", spec.minReadySeconds);
  yield* strategyErrors("spec.updateStrategy", spec.updateStrategy ?? {});
  yield* nonNegativeErrors("spec.revisionHistoryLimit", spec.revisionHistoryLimit);
}

function* strategyErrors(path: string, strategy: Strategy): FieldErrors {
  const { type, rollingUpdate = {} } = strategy;
  if (type === "OnDelete") return;
  if (type !== "RollingUpdate") {
    yield unsupportedField(path, strategy, ["RollingUpdate", "OnDelete"]);
    return;
  }
  const at = `${path}.rollingUpdate`;
  const { maxSurge, maxUnavailable } = rollingUpdate;
  yield* positiveIntOrPercentErrors(`${at}.maxUnavailable`, maxUnavailable);
  yield* positiveIntOrPercentErrors(`${at}.maxSurge`, maxSurge);
  yield* notMoreThan100PercentErrors(`${at}.maxUnavailable`, maxUnavailable);
  yield* notMoreThan100PercentErrors(`${at}.maxSurge`, maxSurge);
  if (!isZeroIntOrPercent(maxUnavailable) && !isZeroIntOrPercent(maxSurge)) {
    yield invalidField(`${at}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero");
  } else if (isZeroIntOrPercent(maxUnavailable) && isZeroIntOrPercent(maxSurge)) {
    yield requiredField(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0");
  }
}

const daemonSetPrinter: Printer = printer<typeof DaemonSet>(
  [
    NAME_COLUMN,
    integerColumn("Desired", "Nodes that should run the pod."),
    integerColumn("Current", "Nodes that run the pod."),
    integerColumn("Ready", "Nodes with a ready pod."),
    integerColumn("Up-to-date", "Nodes with a pod of the current template."),
    integerColumn("Available", "Nodes with an available pod."),
    tableColumn("Node Selector", "Labels of the nodes."),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    SELECTOR,
  ],
  (set) => [
    set.status?.desiredNumberScheduled ?? 0,
    set.status?.currentNumberScheduled ?? 0,
    set.status?.numberReady ?? 0,
    set.status?.updatedNumberScheduled ?? 0,
    set.status?.numberAvailable ?? 0,
    labelsText(set.spec.template.spec?.nodeSelector),
    ...containersText(set.spec.template.spec?.containers),
    selectorCell(set.spec.selector),
  ],
);

/** DaemonSets. */
export const daemonSetResource: Resource = builtinResource({
  kind: DaemonSet,
  categories: ["all"],
  hasGeneration: true,
  strategy: daemonSetStrategy,
  printer: daemonSetPrinter,
});
