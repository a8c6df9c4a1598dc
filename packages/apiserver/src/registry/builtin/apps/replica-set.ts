import type { NewOf, ReplicaSet } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import type { KindRules } from "../../rules.ts";
import { notNegative } from "../check.ts";
import type { Errors } from "../check.ts";
import { withTimes } from "../condition-times.ts";
import { fieldOf } from "../loose.ts";
import { templateDefaults } from "../pod/defaults.ts";
import { countErrors, ownSelectorErrors, replicaTemplateErrors, unchangedErrors } from "./replicas.ts";
import type { Counts } from "./replicas.ts";

type Spec = NewOf<typeof ReplicaSet>["spec"];

/** Counts of pods in the status of a ReplicaSet or a ReplicationController. */
export function* replicaCountErrors(object: ApiObject): Errors {
  const parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];
  const fields = ["replicas", ...parts, "observedGeneration", "terminatingReplicas"];
  yield* countErrors(fieldOf<Counts>(object, "status") ?? {}, fields, parts, "readyReplicas");
}

/** ReplicaSets: the selector is set once. */
export const replicaSetRules: KindRules = {
  emptyStatus: { replicas: 0 },
  defaults: (draft) => {
    const spec = fieldOf<Spec>(draft, "spec") ?? {};
    const filled = { ...spec, replicas: spec.replicas ?? 1, template: templateDefaults(spec.template) };
    return withTimes({ ...draft, spec: filled }, ["lastTransitionTime"]);
  },
  validate: function* (object, old) {
    const spec = fieldOf<Spec>(object, "spec") ?? {};
    yield* notNegative("spec.replicas", spec.replicas);
    yield* notNegative("spec.minReadySeconds", spec.minReadySeconds);
    yield* ownSelectorErrors("spec.selector", spec.selector, "deployment");
    yield* replicaTemplateErrors("spec", spec.selector, spec.template);
    if (old !== undefined) {
      yield* unchangedErrors("spec.selector", spec.selector, fieldOf<Spec>(old, "spec")?.selector);
    }
  },
  validateStatus: replicaCountErrors,
};
