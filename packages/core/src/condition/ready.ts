import { conditionUpdateOf, READY } from "./condition.ts";
import type { Condition, ConditionUpdate } from "./condition.ts";

/** Ranks by severity, worst first. A lower rank is worse. */
const RANK = { error: 0, warning: 1, info: 2, unknown: 3, fine: 4 } as const;

/** Returns the rank of a condition: False/Error (also without severity), False/Warning, False/Info, Unknown, True. */
export function severityRank(condition: ConditionUpdate): number {
  if (condition.status === "True") return RANK.fine;
  if (condition.status === "Unknown") return RANK.unknown;
  if (condition.severity === "Info") return RANK.info;
  return condition.severity === "Warning" ? RANK.warning : RANK.error;
}

/**
 * Returns the condition that Ready mirrors: of the worst rank, the one with the latest transition; on a tie, the first
 * of the list (which is in step order). Returns undefined if all are True.
 */
export function worstCondition(conditions: readonly Condition[]): Condition | undefined {
  let found: Condition | undefined;
  for (const condition of conditions) {
    if (severityRank(condition) === RANK.fine) continue;
    if (found === undefined || isWorse(condition, found)) found = condition;
  }
  return found;
}

function isWorse(a: Condition, b: Condition): boolean {
  const byGroup = severityRank(a) - severityRank(b);
  if (byGroup !== 0) return byGroup < 0;
  // RFC 3339 timestamps in UTC with whole seconds sort as text.
  return a.lastTransitionTime > b.lastTransitionTime;
}

/** Reason of the Ready condition of an object that is being deleted. */
export const DELETING = "Deleting";
/** Reason of the Ready condition after a run that did not complete and set no condition that explains it. */
export const INCOMPLETE = "Incomplete";

/** The outcome of a reconcile, as input for Ready. */
export type ReconcileOutcome =
  /** The run is in progress. Conditions not checked yet are Unknown. */
  | { readonly kind: "running" }
  | { readonly kind: "complete" }
  /** A step was not ok. Its update is among the conditions. */
  | { readonly kind: "incomplete" }
  /** The object is being deleted. `blocking` is the condition that blocks the deletion, if any. */
  | { readonly kind: "deleting"; readonly blocking: ConditionUpdate | undefined };

/** Computes Ready for a run: True only if the run completed and every managed condition is True. */
export function computeReady(conditions: readonly Condition[], outcome: ReconcileOutcome): ConditionUpdate {
  if (outcome.kind === "deleting") return deletingCondition(outcome.blocking);
  const found = worstCondition(conditions);
  if (found !== undefined) return { ...conditionUpdateOf(found), type: READY };
  if (outcome.kind === "complete") return { type: READY, status: "True", reason: "Ready", message: "Setup complete" };
  if (outcome.kind === "running") {
    return { type: READY, status: "Unknown", reason: "Running", message: "The latest spec is being worked on" };
  }
  // The engine reports an update for every failing step, so this is a safety net: Ready does not depend on it.
  return { type: READY, status: "Unknown", reason: INCOMPLETE, message: "The last run did not complete" };
}

function deletingCondition(blocking: ConditionUpdate | undefined): ConditionUpdate {
  const severity = blocking?.severity ?? "Info";
  const message = blocking === undefined ? "Deletion in progress" : `${blocking.type}: ${blocking.message}`;
  return { type: READY, status: "False", severity, reason: DELETING, message };
}
