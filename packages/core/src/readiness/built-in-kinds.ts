import type { Kind } from "../kind/index.ts";
import * as kubernetes from "../kubernetes/index.ts";
import { parseApiVersion } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";
import { conditionReadiness } from "../readiness-rule/index.ts";
import type { ReadinessRule } from "../readiness-rule/index.ts";

type RuledKind = Pick<Kind, "group" | "kind" | "readiness">;

/** APIServices belong to an aggregated API and are not declared as a kind. */
const API_SERVICE: RuledKind = {
  group: "apiregistration.k8s.io",
  kind: "APIService",
  readiness: { of: conditionReadiness("Available"), condition: "Available" },
};

const KINDS: readonly RuledKind[] = [API_SERVICE, ...Object.values<Kind>(kubernetes)];

const GROUPS: ReadonlySet<string> = new Set(KINDS.map(({ group }) => group));

/** `Kind.group` → the rule that the kind declares. */
const RULES: ReadonlyMap<string, ReadinessRule> = new Map(
  KINDS.flatMap(({ kind, group, readiness }): [string, ReadinessRule][] =>
    readiness === undefined ? [] : [[`${kind}.${group}`, readiness]],
  ),
);

/**
 * Returns whether an object is of a built-in kind, whose conditions have their own meanings: its group is the group of
 * a declared kind, or has no dot, which the group of a CustomResourceDefinition must have. The suffix `.k8s.io` is no
 * criterion: `gateway.networking.k8s.io` is a group of custom kinds.
 */
export function isBuiltIn({ apiVersion }: Pick<KubeObject, "apiVersion">): boolean {
  const { group } = parseApiVersion(apiVersion);
  return !group.includes(".") || GROUPS.has(group);
}

/** Returns the readiness rule that the kind of an object declares; undefined for custom kinds and kinds without one. */
export function readinessRuleOf({
  apiVersion,
  kind,
}: Pick<KubeObject, "apiVersion" | "kind">): ReadinessRule | undefined {
  return RULES.get(`${kind}.${parseApiVersion(apiVersion).group}`);
}
