import { READY } from "./condition.ts";
import type { Condition, Finding } from "./condition.ts";

/** Worst first. A lower rank is worse; True has none. */
const RANK = { error: 0, warning: 1, info: 2, unknown: 3, fine: 4 } as const;

/** How bad a condition is: False/Error (also without severity), False/Warning, False/Info, Unknown, True. */
export function badness(condition: Finding): number {
  if (condition.status === "True") return RANK.fine;
  if (condition.status === "Unknown") return RANK.unknown;
  if (condition.severity === "Info") return RANK.info;
  return condition.severity === "Warning" ? RANK.warning : RANK.error;
}

/**
 * The condition that Ready mirrors: the worst group; inside it the latest transition; inside that the first of the list
 * (which is in step order). Undefined when all are True.
 */
export function worst(conditions: readonly Condition[]): Condition | undefined {
  let found: Condition | undefined;
  for (const condition of conditions) {
    if (badness(condition) === RANK.fine) continue;
    if (found === undefined || isWorse(condition, found)) found = condition;
  }
  return found;
}

function isWorse(a: Condition, b: Condition): boolean {
  const byGroup = badness(a) - badness(b);
  if (byGroup !== 0) return byGroup < 0;
  // RFC 3339 in UTC with whole seconds orders as text.
  return a.lastTransitionTime > b.lastTransitionTime;
}

/** What a finished run says of itself, for the computation of Ready. */
export type RunOutcome =
  /** It goes on; what it has not looked at yet is Unknown. */
  | { readonly kind: "running" }
  | { readonly kind: "complete" }
  /** A step was not ok. Its finding is among the conditions. */
  | { readonly kind: "incomplete" }
  /** The object is being deleted; `blocking` says what still holds it, if anything. */
  | { readonly kind: "deleting"; readonly blocking: Finding | undefined };

/** Ready for a run: True only if it completed and every managed condition is True. */
export function readyFinding(conditions: readonly Condition[], outcome: RunOutcome): Finding {
  if (outcome.kind === "deleting") return deletingFinding(outcome.blocking);
  const found = worst(conditions);
  if (found !== undefined) return { ...withoutTime(found), type: READY };
  if (outcome.kind === "complete") return { type: READY, status: "True", reason: "Ready", message: "Setup complete" };
  if (outcome.kind === "running") {
    return { type: READY, status: "Unknown", reason: "Running", message: "The latest spec is being worked on" };
  }
  // Unreachable while the engine gives every failing step a finding; Ready must not depend on that.
  return { type: READY, status: "Unknown", reason: "Incomplete", message: "The last run did not complete" };
}

function deletingFinding(blocking: Finding | undefined): Finding {
  const severity = blocking?.severity ?? "Info";
  const message = blocking === undefined ? "Deletion in progress" : `${blocking.type}: ${blocking.message}`;
  return { type: READY, status: "False", severity, reason: "Deleting", message };
}

function withoutTime(condition: Condition): Finding {
  const { type, status, severity, reason, message } = condition;
  return { type, status, ...(severity === undefined ? {} : { severity }), reason, message };
}
