import type { NewOf } from "@levelset/core";
import { ReplicaSet } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { nonNegativeErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { withConditionTimes } from "../condition-times.ts";
import { unvalidatedField } from "../unvalidated.ts";
import { templateDefaults } from "../core/pod/defaults.ts";
import {
  countErrors,
  requiredSelectorErrors,
  replicaTemplateErrors,
  immutableFieldErrors,
  SELECTOR,
} from "./replicas.ts";
import type { ReplicaStatusCounts } from "./replicas.ts";
import {
  AGE_COLUMN,
  CONTAINER_COLUMNS,
  integerColumn,
  NAME_COLUMN,
  printer,
  containersText,
  selectorCell,
  builtinResource,
  SCALE_SUBRESOURCE,
} from "../../resource/index.ts";

type Spec = NewOf<typeof ReplicaSet>["spec"];

/** Validates the replica counts in the status of a ReplicaSet or a ReplicationController. */
export function* replicaCountErrors(object: ApiObject): FieldErrors {
  const parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];
  const fields = ["replicas", ...parts, "observedGeneration", "terminatingReplicas"];
  yield* countErrors(unvalidatedField<ReplicaStatusCounts>(object, "status") ?? {}, fields, parts, "readyReplicas");
}

/** Strategy of ReplicaSets: the selector is immutable. */
const replicaSetStrategy: KindStrategy = {
  initialStatus: { replicas: 0 },
  defaults: (draft) => {
    const spec = unvalidatedField<Spec>(draft, "spec") ?? {};
    const filled = { ...spec, replicas: spec.replicas ?? 1, template: templateDefaults(spec.template) };
    return withConditionTimes({ ...draft, spec: filled }, ["lastTransitionTime"]);
  },
  validate: function* (object, old) {
    const spec = unvalidatedField<Spec>(object, "spec") ?? {};
    yield* nonNegativeErrors("spec.replicas", spec.replicas);
    yield* nonNegativeErrors("spec.minReadySeconds", spec.minReadySeconds);
    yield* requiredSelectorErrors("spec.selector", spec.selector, "deployment");
    yield* replicaTemplateErrors("spec", spec.selector, spec.template);
    if (old !== undefined) {
      yield* immutableFieldErrors("spec.selector", spec.selector, unvalidatedField<Spec>(old, "spec")?.selector);
    }
  },
  validateStatusUpdate: replicaCountErrors,
};

const replicaSetPrinter: Printer = printer<typeof ReplicaSet>(
  [
    NAME_COLUMN,
    integerColumn("Desired", "Desired number of pods."),
    integerColumn("Current", "Current number of pods."),
    integerColumn("Ready", "Ready pods."),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    SELECTOR,
  ],
  (set) => [
    set.spec.replicas ?? 0,
    set.status?.replicas ?? 0,
    set.status?.readyReplicas ?? 0,
    ...containersText(set.spec.template?.spec?.containers),
    selectorCell(set.spec.selector),
  ],
);

/** ReplicaSets. */
export const replicaSetResource: Resource = builtinResource({
  kind: ReplicaSet,
  categories: ["all"],
  subresources: [SCALE_SUBRESOURCE],
  hasGeneration: true,
  strategy: replicaSetStrategy,
  printer: replicaSetPrinter,
});
