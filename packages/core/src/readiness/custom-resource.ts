import type { KubeObject } from "../object/index.ts";
import {
  findRawCondition,
  failedByCondition,
  progressingWith,
  readyWith,
  staleness,
  stringField,
  conditionMessage,
} from "../readiness-rule/index.ts";
import type { UnknownRecord, Readiness } from "../readiness-rule/index.ts";

/**
 * Readiness of custom resources by the conventional conditions: Stalled and Reconciling if present, then Ready, then
 * Available. An object without these conditions is ready. Conditions of another generation are ignored.
 */
export function customResourceReadiness(object: KubeObject): Readiness {
  const stalled = currentTrue(object, "Stalled");
  if (stalled !== undefined) return failedByCondition(stalled);
  const reconciling = currentTrue(object, "Reconciling");
  if (reconciling !== undefined) return progressingWith(conditionMessage(reconciling));
  for (const type of ["Ready", "Available"]) {
    const condition = findRawCondition(object, type);
    if (condition !== undefined) return staleness(object, type) ?? byCondition(type, condition);
  }
  return staleness(object) ?? readyWith("exists");
}

function currentTrue(object: KubeObject, type: string): UnknownRecord | undefined {
  const condition = findRawCondition(object, type);
  return condition?.["status"] === "True" && staleness(object, type) === undefined ? condition : undefined;
}

function byCondition(type: string, condition: UnknownRecord): Readiness {
  if (condition["status"] === "True") return readyWith(`${type} is True`);
  // Conditions set by levelset have a severity. Error means that a person has to act.
  const isFatal = condition["status"] === "False" && stringField(condition, "severity") === "Error";
  return isFatal ? failedByCondition(condition) : progressingWith(conditionMessage(condition));
}
