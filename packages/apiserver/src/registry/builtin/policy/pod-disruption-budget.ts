import type { ObjectOf, PodDisruptionBudget } from "@levelset/core";
import { invalidField, unsupportedField } from "../../field.ts";
import { pathSegmentProblems } from "../../names.ts";
import type { KindRules } from "../../rules.ts";
import { amountOfPodsErrors, notAboveAllErrors } from "../apps/rollout.ts";
import { notNegative } from "../check.ts";
import { conditionsErrors } from "../condition.ts";
import { selectorErrors } from "../core/selector.ts";
import { fieldOf } from "../loose.ts";

type Budget = ObjectOf<typeof PodDisruptionBudget>;

const POLICIES = ["AlwaysAllow", "IfHealthyBudget"];

/** PodDisruptionBudgets: one bound, not two. */
export const podDisruptionBudgetRules: KindRules = {
  // The kind has no rule of its own; the one for every object remains (`BeforeCreate` in apiserver's `registry/rest/create.go`).
  nameProblems: pathSegmentProblems,
  emptyStatus: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  defaults: (draft) => ({ ...draft, spec: draft["spec"] ?? {} }),
  *validate(object) {
    const spec = fieldOf<NonNullable<Budget["spec"]>>(object, "spec") ?? {};
    const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
    if (minAvailable !== undefined && maxUnavailable !== undefined) {
      yield invalidField("spec", spec, "minAvailable and maxUnavailable cannot be both set");
    }
    for (const [field, amount] of Object.entries({ minAvailable, maxUnavailable })) {
      yield* amountOfPodsErrors(`spec.${field}`, amount);
      yield* notAboveAllErrors(`spec.${field}`, amount);
    }
    yield* selectorErrors("spec.selector", selector);
    if (policy !== undefined && !POLICIES.includes(policy)) {
      yield unsupportedField("spec.unhealthyPodEvictionPolicy", policy, POLICIES);
    }
  },
  *validateStatus(object) {
    const status = fieldOf<NonNullable<Budget["status"]>>(object, "status") ?? {};
    yield* conditionsErrors("status.conditions", status.conditions ?? []);
    for (const field of ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] as const) {
      yield* notNegative(`status.${field}`, status[field]);
    }
  },
};
