import type { KubeObject } from "../object/index.ts";
import { conditionOf, failedBy, progressing, readyBecause, text, wordsOf } from "./readiness.ts";
import type { Readiness } from "./readiness.ts";

/**
 * Objects of any other kind, by the conditions that such kinds agree on: Stalled and Reconciling if there, then Ready, then
 * Available. An object without any of these is ready by being there.
 */
export function customReadiness(object: KubeObject): Readiness {
  const stalled = conditionOf(object, "Stalled");
  if (stalled?.["status"] === "True") return failedBy(stalled);
  const reconciling = conditionOf(object, "Reconciling");
  if (reconciling?.["status"] === "True") return progressing(wordsOf(reconciling));
  for (const type of ["Ready", "Available"]) {
    const condition = conditionOf(object, type);
    if (condition === undefined) continue;
    if (condition["status"] === "True") return readyBecause(`${type} is True`);
    // Our own conditions say how bad it is; Error needs a person.
    const isFatal = condition["status"] === "False" && text(condition, "severity") === "Error";
    return isFatal ? failedBy(condition) : progressing(wordsOf(condition));
  }
  return readyBecause("there");
}
