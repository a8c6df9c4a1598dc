import type { NewOf, ReplicationController } from "@levelset/core";
import { invalidField, requiredField } from "../../field.ts";
import { dnsSubdomainProblems } from "../../names.ts";
import type { KindRules } from "../../rules.ts";
import { replicaCountErrors } from "../apps/replica-set.ts";
import { notNegative } from "../check.ts";
import { withTimes } from "../condition-times.ts";
import { fieldOf, present } from "../loose.ts";
import { templateDefaults } from "../pod/defaults.ts";
import { endlessErrors, templateErrors } from "../pod/template.ts";
import { isSelected } from "./selector.ts";

type Spec = NonNullable<NewOf<typeof ReplicationController>["spec"]>;

/** ReplicationControllers: the template's labels stand in for a selector and for labels of their own. */
export const replicationControllerRules: KindRules = {
  emptyStatus: { replicas: 0 },
  // The first kind whose name is checked by declarative validation: only the result of generateName counts, and lengths are bytes.
  nameProblems: (name, isPrefix = false) =>
    isPrefix ? [] : dnsSubdomainProblems(name).map((problem) => problem.replace("253 characters", "253 bytes")),
  defaults: (draft) => {
    const spec = fieldOf<Spec>(draft, "spec") ?? {};
    const labels = spec.template?.metadata?.labels;
    const own = Object.keys(draft.metadata.labels ?? {}).length === 0 ? labels : draft.metadata.labels;
    const isSelecting = Object.keys(spec.selector ?? {}).length > 0;
    const filled = {
      ...draft,
      // Labels are texts: decoding has seen to that.
      metadata:
        own === undefined ? draft.metadata : { ...draft.metadata, labels: own as Readonly<Record<string, string>> },
      spec: present({
        ...spec,
        replicas: spec.replicas ?? 1,
        minReadySeconds: spec.minReadySeconds === 0 ? undefined : spec.minReadySeconds,
        selector: isSelecting ? spec.selector : labels,
        template: spec.template === undefined ? undefined : templateDefaults(spec.template),
      }),
    };
    return withTimes(filled, ["lastTransitionTime"]);
  },
  validate: function* (object) {
    const { minReadySeconds, replicas, selector = {}, template } = fieldOf<Spec>(object, "spec") ?? {};
    yield* notNegative("spec.minReadySeconds", minReadySeconds);
    const isSelecting = Object.keys(selector).length > 0;
    if (!isSelecting) yield requiredField("spec.selector");
    yield* notNegative("spec.replicas", replicas);
    if (template === undefined) {
      yield requiredField("spec.template");
      return;
    }
    const labels = template.metadata?.labels;
    if (isSelecting && !isSelected({ matchLabels: selector }, labels)) {
      yield invalidField(
        "spec.template.metadata.labels",
        labels ?? null,
        "`selector` does not match template `labels`",
      );
    }
    yield* templateErrors("spec.template", template);
    yield* endlessErrors("spec.template", template, "ReplicationController");
  },
  validateStatus: replicaCountErrors,
};
