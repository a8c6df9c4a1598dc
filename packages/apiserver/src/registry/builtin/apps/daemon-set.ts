import { deepEqual } from "@levelset/core";
import type { DaemonSet, NewOf } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import type { Draft } from "../../draft.ts";
import { invalidField, requiredField, unsupportedField } from "../../field.ts";
import type { KindRules } from "../../rules.ts";
import { notNegative } from "../check.ts";
import type { Errors } from "../check.ts";
import { withTimes } from "../condition-times.ts";
import { isEmptySelector, selectorErrors } from "../core/selector.ts";
import { fieldOf } from "../loose.ts";
import type { Loose } from "../loose.ts";
import { or, templateDefaults } from "../pod/defaults.ts";
import { endlessErrors, selectedErrors, templateErrors } from "../pod/template.ts";
import { collisionErrors, countErrors, unchangedErrors } from "./replicas.ts";
import type { Counts } from "./replicas.ts";
import { amountOfPodsErrors, isNone, notAboveAllErrors } from "./rollout.ts";

type Spec = NewOf<typeof DaemonSet>["spec"];
type LooseSpec = Loose<Spec>;
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

/** DaemonSets: the selector is set once; an annotation counts the templates, as it always did. */
export const daemonSetRules: KindRules = {
  emptyStatus: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  defaults: (draft) =>
    withTemplateGeneration(
      withTimes({ ...draft, spec: defaults(fieldOf<Spec>(draft, "spec")) }, ["lastTransitionTime"]),
      templateGeneration(draft),
    ),
  prepareCreate: (object) => withTemplateGeneration(object, Math.max(templateGeneration(object), 1)),
  prepareUpdate: (object, old) => {
    const isNew = !deepEqual(fieldOf<Spec>(object, "spec")?.template, fieldOf<Spec>(old, "spec")?.template);
    return withTemplateGeneration(object, templateGeneration(old) + (isNew ? 1 : 0));
  },
  validate: daemonSetErrors,
  validateStatus: function* (object, old) {
    const next = fieldOf<Counts>(object, "status") ?? {};
    yield* countErrors(next, COUNTS, [], "");
    yield* collisionErrors(next, fieldOf<Counts>(old, "status") ?? {});
  },
};

function templateGeneration(object: Draft): number {
  const generation = Number.parseInt(object.metadata.annotations?.[TEMPLATE_GENERATION] ?? "0", 10);
  return Number.isNaN(generation) ? 0 : generation;
}

function withTemplateGeneration<T extends Draft>(object: T, generation: number): T {
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
  const type = or(strategy.type, "RollingUpdate");
  if (type !== "RollingUpdate") return { ...strategy, type };
  const { maxSurge = 0, maxUnavailable = 1 } = strategy.rollingUpdate ?? {};
  return { type, rollingUpdate: { maxSurge, maxUnavailable } };
}

function* daemonSetErrors(object: ApiObject, old: ApiObject | undefined): Errors {
  const spec = fieldOf<Spec>(object, "spec") ?? {};
  const { selector, template = {} } = spec;
  if (old !== undefined) yield* unchangedErrors("spec.selector", selector, fieldOf<Spec>(old, "spec")?.selector);
  yield* selectorErrors("spec.selector", selector);
  yield* selectedErrors("spec.template", selector, template);
  if (selector !== undefined && isEmptySelector(selector)) {
    yield invalidField("spec.selector", selector, "empty selector is invalid for daemonset");
  }
  yield* templateErrors("spec.template", template);
  yield* endlessErrors("spec.template", template, "DaemonSet");
  yield* notNegative("spec.minReadySeconds", spec.minReadySeconds);
  yield* strategyErrors("spec.updateStrategy", spec.updateStrategy ?? {});
  yield* notNegative("spec.revisionHistoryLimit", spec.revisionHistoryLimit);
}

function* strategyErrors(path: string, strategy: Strategy): Errors {
  const { type, rollingUpdate = {} } = strategy;
  if (type === "OnDelete") return;
  if (type !== "RollingUpdate") {
    yield unsupportedField(path, strategy, ["RollingUpdate", "OnDelete"]);
    return;
  }
  const at = `${path}.rollingUpdate`;
  const { maxSurge, maxUnavailable } = rollingUpdate;
  yield* amountOfPodsErrors(`${at}.maxUnavailable`, maxUnavailable);
  yield* amountOfPodsErrors(`${at}.maxSurge`, maxSurge);
  yield* notAboveAllErrors(`${at}.maxUnavailable`, maxUnavailable);
  yield* notAboveAllErrors(`${at}.maxSurge`, maxSurge);
  if (!isNone(maxUnavailable) && !isNone(maxSurge)) {
    yield invalidField(`${at}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero");
  } else if (isNone(maxUnavailable) && isNone(maxSurge)) {
    yield requiredField(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0");
  }
}
