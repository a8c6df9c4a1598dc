import type { MatchResources } from "@levelset/core";
import { duplicateField, unsupportedField, pathSegmentProblems } from "../../resource/index.ts";
import { stringErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { selectorErrors } from "../core/selector.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { ruleErrors, ruleWithDefaults } from "./rule.ts";

type Match = Unvalidated<MatchResources>;

const MATCH_POLICIES = ["Equivalent", "Exact"];

export function matchWithDefaults(match: Match): Match {
  const { resourceRules, excludeResourceRules } = match;
  return {
    namespaceSelector: {},
    objectSelector: {},
    matchPolicy: "Equivalent",
    ...match,
    ...(resourceRules === undefined ? {} : { resourceRules: resourceRules.map(ruleWithDefaults) }),
    ...(excludeResourceRules === undefined ? {} : { excludeResourceRules: excludeResourceRules.map(ruleWithDefaults) }),
  };
}

export function* matchErrors(path: string, match: Match): FieldErrors {
  const { matchPolicy = "", namespaceSelector, objectSelector } = match;
  if (!MATCH_POLICIES.includes(matchPolicy)) yield unsupportedField(`${path}.matchPolicy`, matchPolicy, MATCH_POLICIES);
  yield* selectorErrors(`${path}.namespaceSelector`, namespaceSelector);
  yield* selectorErrors(`${path}.objectSelector`, objectSelector);
  for (const list of ["resourceRules", "excludeResourceRules"] as const) {
    for (const [index, rule] of (match[list] ?? []).entries()) {
      const at = `${path}.${list}[${index}]`;
      const names = rule.resourceNames ?? [];
      for (const [place, name] of names.entries()) {
        yield* stringErrors(`${at}.resourceNames[${place}]`, name, pathSegmentProblems);
        if (names.indexOf(name) < place) yield duplicateField(`${at}.resourceNames[${place}]`, name);
      }
      yield* ruleErrors(at, rule);
    }
  }
}
