import type { PolicyRule } from "@levelset/core";
import { Role } from "@levelset/core";
import { invalidField, requiredField, pathSegmentProblems, builtinResource } from "../../resource/index.ts";
import type { KindStrategy, Resource } from "../../resource/index.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

/** Strategy of Roles: rules cannot contain nonResourceURLs. */
const roleStrategy: KindStrategy = {
  nameProblems: (name) => pathSegmentProblems(name),
  defaults: (draft) => ({ ...draft, rules: draft["rules"] ?? null }),
  validate: (object) => rulesErrors(unvalidatedField<readonly PolicyRule[]>(object, "rules"), true),
};

export function* rulesErrors(
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

/** Roles. */
export const roleResource: Resource = builtinResource({
  kind: Role,
  strategy: roleStrategy,
});
