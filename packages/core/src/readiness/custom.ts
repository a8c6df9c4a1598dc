import type { KubeObject } from "../object/index.ts";
import { conditionOf, failedBy, progressing, readyBecause, staleness, text, wordsOf } from "./readiness.ts";
import type { Loose, Readiness } from "./readiness.ts";

/**
 * Objects of any other kind, by the conditions that such kinds agree on: Stalled and Reconciling if there, then Ready, then
 * Available. An object without any of these is ready by being there. A condition that is about another generation counts for nothing.
 */
export function customReadiness(object: KubeObject): Readiness {
  const stalled = currentTrue(object, "Stalled");
  if (stalled !== undefined) return failedBy(stalled);
  const reconciling = currentTrue(object, "Reconciling");
  if (reconciling !== undefined) return progressing(wordsOf(reconciling));
  for (const type of ["Ready", "Available"]) {
    const condition = conditionOf(object, type);
    if (condition !== undefined) return staleness(object, type) ?? byCondition(type, condition);
  }
  return staleness(object) ?? readyBecause("there");
}

function currentTrue(object: KubeObject, type: string): Loose | undefined {
  const condition = conditionOf(object, type);
  return condition?.["status"] === "True" && staleness(object, type) === undefined ? condition : undefined;
}

function byCondition(type: string, condition: Loose): Readiness {
  if (condition["status"] === "True") return readyBecause(`${type} is True`);
  // Our own conditions say how bad it is; Error needs a person.
  const isFatal = condition["status"] === "False" && text(condition, "severity") === "Error";
  return isFatal ? failedBy(condition) : progressing(wordsOf(condition));
}
