import type { Deployment, NewOf } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { forbiddenField, invalidField, unsupportedField } from "../../field.ts";
import type { KindRules } from "../../rules.ts";
import { notNegative } from "../check.ts";
import type { Errors } from "../check.ts";
import { withTimes } from "../condition-times.ts";
import { fieldOf, present } from "../loose.ts";
import type { Loose } from "../loose.ts";
import { or, templateDefaults } from "../pod/defaults.ts";
import { collisionErrors, countErrors, ownSelectorErrors, replicaTemplateErrors, unchangedErrors } from "./replicas.ts";
import type { Counts } from "./replicas.ts";
import { amountOfPodsErrors, isNone, notAboveAllErrors } from "./rollout.ts";

type Spec = NewOf<typeof Deployment>["spec"];
type LooseSpec = Loose<Spec>;
type Strategy = NonNullable<LooseSpec["strategy"]>;

const COUNTS = ["observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas"];

/** Deployments: the selector is set once, and annotations count as part of the declaration. */
export const deploymentRules: KindRules = {
  emptyStatus: {},
  defaults: (draft) =>
    withTimes({ ...draft, spec: defaults(fieldOf<Spec>(draft, "spec")) }, ["lastUpdateTime", "lastTransitionTime"]),
  declaration: ({ spec, metadata }) => ({ spec, annotations: metadata.annotations ?? {} }),
  prepareStatus: (object, old) => {
    const { labels: _labels, ...metadata } = object.metadata;
    const { labels } = old.metadata;
    return { ...object, metadata: { ...metadata, ...(labels === undefined ? {} : { labels }) } };
  },
  validate: deploymentErrors,
  validateStatus: function* (object, old) {
    const next = fieldOf<Counts>(object, "status") ?? {};
    const fields = [...COUNTS, "unavailableReplicas", "terminatingReplicas", "collisionCount"];
    yield* countErrors(next, fields, ["updatedReplicas", "readyReplicas", "availableReplicas"], "readyReplicas");
    yield* collisionErrors(next, fieldOf<Counts>(old, "status") ?? {});
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
  const type = or(strategy.type, "RollingUpdate");
  if (type !== "RollingUpdate") return { ...strategy, type };
  const { maxSurge = "25%", maxUnavailable = "25%" } = strategy.rollingUpdate ?? {};
  return { type, rollingUpdate: { maxSurge, maxUnavailable } };
}

function* deploymentErrors(object: ApiObject, old: ApiObject | undefined): Errors {
  const spec = fieldOf<Spec>(object, "spec") ?? {};
  const { minReadySeconds = 0, progressDeadlineSeconds = 0 } = spec;
  yield* notNegative("spec.replicas", spec.replicas);
  yield* ownSelectorErrors("spec.selector", spec.selector, "deployment");
  yield* replicaTemplateErrors("spec", spec.selector, spec.template);
  yield* strategyErrors("spec.strategy", spec.strategy ?? {});
  yield* notNegative("spec.minReadySeconds", minReadySeconds);
  yield* notNegative("spec.revisionHistoryLimit", spec.revisionHistoryLimit);
  yield* notNegative("spec.progressDeadlineSeconds", progressDeadlineSeconds);
  if (progressDeadlineSeconds <= minReadySeconds) {
    yield invalidField("spec.progressDeadlineSeconds", progressDeadlineSeconds, "must be greater than minReadySeconds");
  }
  if (old !== undefined) {
    yield* unchangedErrors("spec.selector", spec.selector, fieldOf<Spec>(old, "spec")?.selector);
  }
}

function* strategyErrors(path: string, strategy: Strategy): Errors {
  const { type, rollingUpdate } = strategy;
  if (type === "Recreate") {
    if (rollingUpdate === undefined) return;
    yield forbiddenField(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'");
  } else if (type === "RollingUpdate") {
    const { maxSurge, maxUnavailable } = rollingUpdate ?? {};
    const at = `${path}.rollingUpdate`;
    yield* amountOfPodsErrors(`${at}.maxUnavailable`, maxUnavailable);
    yield* amountOfPodsErrors(`${at}.maxSurge`, maxSurge);
    if (isNone(maxUnavailable) && isNone(maxSurge)) {
      yield invalidField(`${at}.maxUnavailable`, maxUnavailable, "may not be 0 when `maxSurge` is 0");
    }
    yield* notAboveAllErrors(`${at}.maxUnavailable`, maxUnavailable);
  } else {
    yield unsupportedField(path, present(strategy), ["Recreate", "RollingUpdate"]);
  }
}
