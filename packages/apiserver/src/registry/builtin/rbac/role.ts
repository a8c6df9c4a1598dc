import type { ClusterRole, ObjectOf, PolicyRule } from "@levelset/core";
import { invalidField, requiredField } from "../../field.ts";
import { pathSegmentProblems } from "../../names.ts";
import type { KindRules } from "../../rules.ts";
import type { Errors } from "../check.ts";
import { parsedSelector, selectorErrors } from "../core/selector.ts";
import { fieldOf } from "../loose.ts";
import type { Loose } from "../loose.ts";

/** Roles: rules about resources only. */
export const roleRules: KindRules = {
  nameProblems: (name) => pathSegmentProblems(name),
  defaults: (draft) => ({ ...draft, rules: draft["rules"] ?? null }),
  validate: (object) => rulesErrors(fieldOf<readonly PolicyRule[]>(object, "rules"), true),
};

/** ClusterRoles: rules about resources or other paths, or other roles put together. */
export const clusterRoleRules: KindRules = {
  nameProblems: (name) => pathSegmentProblems(name),
  defaults: (draft) => ({ ...draft, rules: draft["rules"] ?? null }),
  *validate(object) {
    yield* rulesErrors(fieldOf<readonly PolicyRule[]>(object, "rules"), false);
    const aggregation = fieldOf<NonNullable<ObjectOf<typeof ClusterRole>["aggregationRule"]>>(
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
      if (parsedSelector(selector) === undefined) {
        yield invalidField(`${path}[${index}]`, null, "invalid label selector.");
      }
    }
  },
};

function* rulesErrors(rules: Loose<readonly PolicyRule[]> | null | undefined, isNamespaced: boolean): Errors {
  for (const [index, rule] of (rules ?? []).entries()) yield* ruleErrors(`rules[${index}]`, rule, isNamespaced);
}

function* ruleErrors(path: string, rule: Loose<PolicyRule>, isNamespaced: boolean): Errors {
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
