import type { NewOf } from "@levelset/core";
import { ReplicationController } from "@levelset/core";
import {
  invalidField,
  requiredField,
  dnsSubdomainProblems,
  AGE_COLUMN,
  CONTAINER_COLUMNS,
  integerColumn,
  NAME_COLUMN,
  printer,
  wideColumn,
  containersText,
  labelsText,
  builtinResource,
  SCALE_SUBRESOURCE,
  fieldLabels,
  fieldAt,
  NAME_FIELDS,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { replicaCountErrors } from "../apps/replica-set.ts";
import { nonNegativeErrors } from "../field-checks.ts";
import { withConditionTimes } from "../condition-times.ts";
import { unvalidatedField, omitUndefined } from "../unvalidated.ts";
import { templateDefaults } from "./pod/defaults.ts";
import { alwaysRestartErrors, templateErrors } from "./pod/template.ts";
import { selectorMatches } from "./selector.ts";

type Spec = NonNullable<NewOf<typeof ReplicationController>["spec"]>;

/** Strategy of ReplicationControllers: selector and labels default to the labels of the template. */
const replicationControllerStrategy: KindStrategy = {
  defaultPropagationPolicy: "Orphan",
  initialStatus: { replicas: 0 },
  // Names are checked by declarative validation (KEP-5073): after generateName is expanded, with lengths in bytes.
  nameProblems: (name, isPrefix = false) =>
    isPrefix ? [] : dnsSubdomainProblems(name).map((problem) => problem.replace("253 characters", "253 bytes")),
  defaults: (draft) => {
    const spec = unvalidatedField<Spec>(draft, "spec") ?? {};
    const labels = spec.template?.metadata?.labels;
    const own = Object.keys(draft.metadata.labels ?? {}).length === 0 ? labels : draft.metadata.labels;
    const isSelecting = Object.keys(spec.selector ?? {}).length > 0;
    const filled = {
      ...draft,
      // Decoding has checked that labels are strings.
      metadata:
        own === undefined ? draft.metadata : { ...draft.metadata, labels: own as Readonly<Record<string, string>> },
      spec: omitUndefined({
        ...spec,
        replicas: spec.replicas ?? 1,
        minReadySeconds: spec.minReadySeconds === 0 ? undefined : spec.minReadySeconds,
        selector: isSelecting ? spec.selector : labels,
        template: spec.template === undefined ? undefined : templateDefaults(spec.template),
      }),
    };
    return withConditionTimes(filled, ["lastTransitionTime"]);
  },
  validate: function* (object) {
    const { minReadySeconds, replicas, selector = {}, template } = unvalidatedField<Spec>(object, "spec") ?? {};
    yield* nonNegativeErrors("spec.minReadySeconds", minReadySeconds);
    const isSelecting = Object.keys(selector).length > 0;
    if (!isSelecting) yield requiredField("spec.selector");
    yield* nonNegativeErrors("spec.replicas", replicas);
    if (template === undefined) {
      yield requiredField("spec.template");
      return;
    }
    const labels = template.metadata?.labels;
    if (isSelecting && !selectorMatches({ matchLabels: selector }, labels)) {
      yield invalidField(
        "spec.template.metadata.labels",
        labels ?? null,
        "`selector` does not match template `labels`",
      );
    }
    yield* templateErrors("spec.template", template);
    yield* alwaysRestartErrors("spec.template", template, "ReplicationController");
  },
  validateStatusUpdate: replicaCountErrors,
};

const replicationControllerPrinter: Printer = printer<typeof ReplicationController>(
  [
    NAME_COLUMN,
    integerColumn("Desired", "Desired number of pods."),
    integerColumn("Current", "Current number of pods."),
    integerColumn("Ready", "Ready pods."),
    AGE_COLUMN,
    ...CONTAINER_COLUMNS,
    wideColumn("Selector", "Label selector of the pods."),
  ],
  (controller) => [
    controller.spec?.replicas ?? 0,
    controller.status?.replicas ?? 0,
    controller.status?.readyReplicas ?? 0,
    ...containersText(controller.spec?.template?.spec?.containers),
    labelsText(controller.spec?.selector),
  ],
);

/** ReplicationControllers. */
export const replicationControllerResource: Resource = builtinResource({
  kind: ReplicationController,
  categories: ["all"],
  subresources: [SCALE_SUBRESOURCE],
  selectorForm: "labels",
  hasGeneration: true,
  strategy: replicationControllerStrategy,
  printer: replicationControllerPrinter,
  fieldLabels: fieldLabels({ ...NAME_FIELDS, "status.replicas": fieldAt("status.replicas", "0") }),
});
