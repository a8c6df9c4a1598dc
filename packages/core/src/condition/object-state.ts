import type { Condition } from "./condition.ts";

/**
 * State of an object as shown to people, in `kubectl` columns, the CLI, the console and the documentation. Progressing:
 * it becomes ready without action. Degraded: a retry may fix it. Failed: a person has to act. Unknown: no controller
 * has reported yet.
 */
export type ObjectState = "Ready" | "Progressing" | "Degraded" | "Failed" | "Deleting" | "Paused" | "Unknown";

/** Reason of the Ready condition of an object whose spec suspends its reconciliation. */
export const SUSPENDED = "Suspended";

/** Returns the state that a Ready condition of the latest generation stands for. */
export function stateOfReady(ready: Pick<Condition, "status" | "severity" | "reason"> | undefined): ObjectState {
  if (ready === undefined) return "Unknown";
  if (ready.reason === "Deleting") return "Deleting";
  if (ready.reason === SUSPENDED) return "Paused";
  if (ready.status === "True") return "Ready";
  if (ready.status === "Unknown" || ready.severity === "Info") return "Progressing";
  return ready.severity === "Warning" ? "Degraded" : "Failed";
}
