import type { ObjectOf, PodDisruptionBudget } from "@levelset/core";
import { invalidField, unsupportedField } from "../../field-errors.ts";
import { pathSegmentProblems } from "../../name-validation.ts";
import type { KindStrategy } from "../../strategy.ts";
import { positiveIntOrPercentErrors, notMoreThan100PercentErrors } from "../apps/rolling-update.ts";
import { nonNegativeErrors } from "../field-checks.ts";
import { conditionsErrors } from "../condition.ts";
import { selectorErrors } from "../core/selector.ts";
import { unvalidatedField } from "../unvalidated.ts";

type Budget = ObjectOf<typeof PodDisruptionBudget>;

const POLICIES = ["AlwaysAllow", "IfHealthyBudget"];

/** Strategy of PodDisruptionBudgets: minAvailable and maxUnavailable are mutually exclusive. */
export const podDisruptionBudgetStrategy: KindStrategy = {
  // The kind has no name rule, so only the generic one applies (`BeforeCreate` in
  // k8s.io/apiserver/pkg/registry/rest/create.go, Kubernetes 1.36).
  nameProblems: pathSegmentProblems,
  initialStatus: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  defaults: (draft) => ({ ...draft, spec: draft["spec"] ?? {} }),
  *validate(object) {
    const spec = unvalidatedField<NonNullable<Budget["spec"]>>(object, "spec") ?? {};
    const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
    if (minAvailable !== undefined && maxUnavailable !== undefined) {
      yield invalidField("spec", spec, "minAvailable and maxUnavailable cannot be both set");
    }
    for (const [field, amount] of Object.entries({ minAvailable, maxUnavailable })) {
      yield* positiveIntOrPercentErrors(`spec.${field}`, amount);
      yield* notMoreThan100PercentErrors(`spec.${field}`, amount);
    }
    yield* selectorErrors("spec.selector", selector);
    if (policy !== undefined && !POLICIES.includes(policy)) {
      yield unsupportedField("spec.unhealthyPodEvictionPolicy", policy, POLICIES);
    }
  },
  *validateStatusUpdate(object) {
    const status = unvalidatedField<NonNullable<Budget["status"]>>(object, "status") ?? {};
    yield* conditionsErrors("status.conditions", status.conditions ?? []);
    for (const field of ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] as const) {
      yield* nonNegativeErrors(`status.${field}`, status[field]);
    }
  },
};
