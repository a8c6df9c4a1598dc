import type { ClusterRole, ObjectOf, PolicyRule } from "@levelset/core";
import { invalidField, requiredField } from "../../field-errors.ts";
import { pathSegmentProblems } from "../../name-validation.ts";
import type { KindStrategy } from "../../strategy.ts";
import type { FieldErrors } from "../field-checks.ts";
import { parseUnvalidatedSelector, selectorErrors } from "../core/selector.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

/** Strategy of Roles: rules cannot contain nonResourceURLs. */
export const roleStrategy: KindStrategy = {
  nameProblems: (name) => pathSegmentProblems(name),
  defaults: (draft) => ({ ...draft, rules: draft["rules"] ?? null }),
  validate: (object) => rulesErrors(unvalidatedField<readonly PolicyRule[]>(object, "rules"), true),
};

/** Strategy of ClusterRoles: resource rules, nonResourceURLs or an aggregationRule. */
export const clusterRoleStrategy: KindStrategy = {
  nameProblems: (name) => pathSegmentProblems(name),
  defaults: (draft) => ({ ...draft, rules: draft["rules"] ?? null }),
  *validate(object) {
    yield* rulesErrors(unvalidatedField<readonly PolicyRule[]>(object, "rules"), false);
    const aggregation = unvalidatedField<NonNullable<ObjectOf<typeof ClusterRole>["aggregationRule"]>>(
      object,
      "aggregationRule",
    );
    if (aggregation === undefined) return;
    const { clusterRoleSelectors: selectors = [] } = aggregation;
    const path = "aggregationRule.clusterRoleSelectors";
    if (selectors.length === 0) {
      yield requiredField(path, "at least one clusterRoleSelector required if aggregationRule is non-nil");
    }
    for (const [index, selector] of selectors.entries()) {
      yield* selectorErrors(`${path}[${index}]`, selector);
      if (parseUnvalidatedSelector(selector) === undefined) {
        yield invalidField(`${path}[${index}]`, null, "invalid label selector.");
      }
    }
  },
};

function* rulesErrors(
  rules: Unvalidated<readonly PolicyRule[]> | null | undefined,
  isNamespaced: boolean,
): FieldErrors {
  for (const [index, rule] of (rules ?? []).entries()) yield* ruleErrors(`rules[${index}]`, rule, isNamespaced);
}

function* ruleErrors(path: string, rule: Unvalidated<PolicyRule>, isNamespaced: boolean): FieldErrors {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  if (verbs.length === 0) yield requiredField(`${path}.verbs`, "verbs must contain at least one value");
  if (nonResourceURLs.length > 0) {
    const at = `${path}.nonResourceURLs`;
    if (isNamespaced) {
      yield invalidField(at, nonResourceURLs, "namespaced rules cannot apply to non-resource URLs");
    }
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
      yield invalidField(at, nonResourceURLs, "rules cannot apply to both regular resources and non-resource URLs");
    }
    return;
  }
  if (apiGroups.length === 0) {
    yield requiredField(`${path}.apiGroups`, "resource rules must supply at least one api group");
  }
  if (resources.length === 0) {
    yield requiredField(`${path}.resources`, "resource rules must supply at least one resource");
  }
}
