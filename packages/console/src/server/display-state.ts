import { isJsonObject, isPaused, isUnobserved, parseApiVersion, PAUSED_ANNOTATION, READY } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import { conditionsOf, generationStatusOf, nodeStatusOf, Operand, OPERAND_GROUP } from "@levelset/operator";
import type { DisplayState } from "../api/index.ts";

/** State of an object for display, and its message. */
export interface DisplayStatus {
  readonly state: DisplayState;
  readonly message: string;
}

/**
 * Returns the state of an object as the CLI reports it. Paused: reconciliation is off, whatever the status reports.
 * Degraded: Ready is not True with severity Warning. Unknown: no controller has observed the object.
 */
export function displayStatus(object: KubeObject, hasStatus: boolean): DisplayStatus {
  const { state, message } = nodeStatusOf({ object, hasStatus });
  if (state === "deleting") return { state, message };
  const pause = pauseReason(object);
  if (pause !== undefined) return { state: "paused", message: pause };
  if (state === "ready" || state === "failed") return { state, message };
  if (isUnobserved(object, hasStatus)) return { state: "unknown", message };
  return { state: isDegraded(object, hasStatus) ? "degraded" : "progressing", message };
}

/** Returns why an object is not reconciled, or undefined if it is. */
function pauseReason(object: KubeObject & { readonly spec?: unknown }): string | undefined {
  const { spec } = object;
  const isOperand = object.kind === Operand.kind && parseApiVersion(object.apiVersion).group === OPERAND_GROUP;
  if (isOperand && isJsonObject(spec) && spec["suspend"] === true) return "spec.suspend is true";
  return isPaused(object) ? `the annotation ${PAUSED_ANNOTATION} is true` : undefined;
}

function isDegraded(object: KubeObject, hasStatus: boolean): boolean {
  const ready = conditionsOf(object).find(({ type }) => type === READY);
  const generation = generationStatusOf(object, hasStatus);
  const isCurrent = generation === undefined || generation.state === "current";
  return isCurrent && ready?.severity === "Warning";
}
