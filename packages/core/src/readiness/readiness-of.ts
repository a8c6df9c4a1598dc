import { generationState } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";
import { progressingWith, staleness } from "../readiness-rule/index.ts";
import type { Readiness } from "../readiness-rule/index.ts";
import { readinessRuleOf } from "./built-in-kinds.ts";
import { customResourceReadiness } from "./custom-resource.ts";

/**
 * Reports whether an object has reached its latest spec, and if not, why. A status of another generation than the
 * latest, older or newer, is ignored.
 */
export function readinessOf(object: KubeObject): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) {
    const held = object.metadata.finalizers ?? [];
    return { kind: "deleting", message: held.length === 0 ? "being deleted" : `held by ${held.join(", ")}` };
  }
  const rule = readinessRuleOf(object);
  if (rule === undefined) return customResourceReadiness(object);
  const stale = staleness(object, rule.condition);
  if (stale !== undefined) return stale;
  const isObserved = object.metadata.generation === undefined || generationState(object) !== "unknown";
  return isObserved || rule.isAlwaysObserved !== true ? rule.of(object) : progressingWith("not observed yet");
}
