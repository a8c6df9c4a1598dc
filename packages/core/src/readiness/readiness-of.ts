import type { Kind } from "../kind/index.ts";
import * as kubernetes from "../kubernetes/index.ts";
import { generationState, parseApiVersion } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";
import { conditionReadiness, progressingWith, staleness } from "../readiness-rule/index.ts";
import type { Readiness, ReadinessRule } from "../readiness-rule/index.ts";
import { customResourceReadiness } from "./custom-resource.ts";

/** APIServices belong to an aggregated API and are not declared as a kind. */
const API_SERVICE: ReadinessRule = { of: conditionReadiness("Available"), condition: "Available" };

/** `Kind.group` → the rule that the kind declares. */
const RULES: ReadonlyMap<string, ReadinessRule> = new Map([
  ["APIService.apiregistration.k8s.io", API_SERVICE],
  ...Object.values<Kind>(kubernetes).flatMap(({ kind, group, readiness }): [string, ReadinessRule][] =>
    readiness === undefined ? [] : [[`${kind}.${group}`, readiness]],
  ),
]);

/**
 * Reports whether an object has reached its latest spec, and if not, why. A status of another generation than the
 * latest, older or newer, is ignored.
 */
export function readinessOf(object: KubeObject): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) {
    const held = object.metadata.finalizers ?? [];
    return { kind: "deleting", message: held.length === 0 ? "being deleted" : `held by ${held.join(", ")}` };
  }
  const { group } = parseApiVersion(object.apiVersion);
  const rule = RULES.get(`${object.kind}.${group}`);
  if (rule === undefined) return customResourceReadiness(object);
  const stale = staleness(object, rule.condition);
  if (stale !== undefined) return stale;
  const isObserved = object.metadata.generation === undefined || generationState(object) !== "unknown";
  return isObserved || rule.isAlwaysObserved !== true ? rule.of(object) : progressingWith("not observed yet");
}
