import type { Condition } from "./condition.ts";

/**
 * State of an object as shown to people, in `kubectl` columns, the CLI, the console and the documentation. Progressing:
 * it becomes ready without action. Degraded: a retry may fix it. Failed: a person has to act. Unknown: no controller
 * has reported yet.
 */
export type ObjectState = "Ready" | "Progressing" | "Degraded" | "Failed" | "Deleting" | "Paused" | "Unknown";

/** Reason of the Ready condition of an object whose spec suspends its reconciliation. */
export const SUSPENDED = "Suspended";

/** The facts that decide the state of an object, an Operand or a fleet resource. */
export interface StateFacts {
  /** Whether the latest spec is reached; see `readinessOf`. */
  readonly readiness: "ready" | "progressing" | "failed" | "deleting";
  /** Whether its reconciliation is paused. Default: no. */
  readonly isPaused?: boolean;
  /** Whether a controller has reported about it, for any generation. */
  readonly isReported: boolean;
  /** The Ready condition for the latest generation; undefined if there is none. */
  readonly ready?: Pick<Condition, "status" | "severity" | "reason"> | undefined;
}

/**
 * Decides the state of an object, an Operand or a fleet resource. A False without severity is Progressing: conditions
 * of other projects have no severity, so they do not report that a person has to act.
 */
export function decideState({ readiness, isPaused = false, isReported, ready }: StateFacts): ObjectState {
  if (readiness === "deleting") return "Deleting";
  if (isPaused || ready?.reason === SUSPENDED) return "Paused";
  if (!isReported) return "Unknown";
  if (readiness !== "progressing") return readiness === "ready" ? "Ready" : "Failed";
  return ready?.status === "False" && ready.severity === "Warning" ? "Degraded" : "Progressing";
}
