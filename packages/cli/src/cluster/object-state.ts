import {
  findCondition,
  generationState,
  isPaused,
  isReady,
  isUnobserved,
  parseApiVersion,
  READY,
  readinessOf,
} from "@levelset/core";
import type { KubeObject, ObjectState, ObjectWithConditions } from "@levelset/core";
import { Operand } from "@levelset/operator";

/**
 * Returns the state of an object of a levelset kind: its status reports Ready. Records without a controller have no
 * status and are Ready.
 */
export function displayState(object: ObjectWithConditions): ObjectState {
  const readiness = readinessOf(object);
  if (readiness.kind === "deleting") return "Deleting";
  if (isObjectPaused(object)) return "Paused";
  if (isUnobserved(object, true)) return "Unknown";
  if (readiness.kind === "ready") return object.status === undefined || isReady(object) ? "Ready" : "Unknown";
  if (readiness.kind === "failed") return "Failed";
  const ready = generationState(object) === "current" ? findCondition(object.status?.conditions, READY) : undefined;
  return ready?.status === "False" && ready.severity === "Warning" ? "Degraded" : "Progressing";
}

/** Reports whether reconciliation of an object is paused: by annotation, or by `spec.suspend` of an Operand. */
export function isObjectPaused(object: KubeObject): boolean {
  if (isPaused(object)) return true;
  const { spec } = object as { readonly spec?: { readonly suspend?: unknown } };
  const isOperand = object.kind === Operand.kind && parseApiVersion(object.apiVersion).group === Operand.group;
  return isOperand && spec?.suspend === true;
}
