import type { ObjectOf, PolicyRule } from "@levelset/core";
import { ClusterRole } from "@levelset/core";
import { invalidField, requiredField, pathSegmentProblems, builtinResource } from "../../resource/index.ts";
import type { KindStrategy, Resource } from "../../resource/index.ts";
import { parseUnvalidatedSelector, selectorErrors } from "../core/selector.ts";
import { unvalidatedField } from "../unvalidated.ts";
import { rulesErrors } from "./role.ts";

/** Strategy of ClusterRoles: resource rules, nonResourceURLs or an aggregationRule. */
const clusterRoleStrategy: KindStrategy = {
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

/** ClusterRoles. */
export const clusterRoleResource: Resource = builtinResource({
  kind: ClusterRole,
  strategy: clusterRoleStrategy,
});
