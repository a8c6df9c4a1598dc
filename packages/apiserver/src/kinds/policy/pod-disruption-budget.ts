import type { ObjectOf } from "@levelset/core";
import { PodDisruptionBudget } from "@levelset/core";
import {
  invalidField,
  unsupportedField,
  pathSegmentProblems,
  AGE_COLUMN,
  tableColumn,
  integerColumn,
  NAME_COLUMN,
  printer,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { positiveIntOrPercentErrors, notMoreThan100PercentErrors } from "../apps/rolling-update.ts";
import { nonNegativeErrors } from "../field-checks.ts";
import { conditionsErrors } from "../condition.ts";
import { selectorErrors } from "../core/selector.ts";
import { unvalidatedField } from "../unvalidated.ts";

type Budget = ObjectOf<typeof PodDisruptionBudget>;

const POLICIES = ["AlwaysAllow", "IfHealthyBudget"];

/** Strategy of PodDisruptionBudgets: minAvailable and maxUnavailable are mutually exclusive. */
const podDisruptionBudgetStrategy: KindStrategy = {
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

const ABSENT = "N/A";

const podDisruptionBudgetPrinter: Printer = printer<typeof PodDisruptionBudget>(
  [
    NAME_COLUMN,
    tableColumn("Min Available", "How many pods must stay."),
    tableColumn("Max Unavailable", "How many pods may be missing."),
    integerColumn("Allowed Disruptions", "How many pods may go now."),
    AGE_COLUMN,
  ],
  (budget) => [
    String(budget.spec?.minAvailable ?? ABSENT),
    String(budget.spec?.maxUnavailable ?? ABSENT),
    budget.status?.disruptionsAllowed ?? 0,
  ],
);

/** PodDisruptionBudgets. */
export const podDisruptionBudgetResource: Resource = builtinResource({
  kind: PodDisruptionBudget,
  hasGeneration: true,
  allowUnconditionalUpdate: false,
  strategy: podDisruptionBudgetStrategy,
  printer: podDisruptionBudgetPrinter,
});
