import { findCondition } from "@levelset/core";
import type { Condition, Severity } from "@levelset/core";

/** Why the removal of objects has not finished. */
export type RemovalReason =
  /** Deleted objects are not gone yet. */
  | "WaitingForDeletion"
  /** They are not gone after the timeout: a person has to act. */
  | "DeletionTimedOut"
  /** The server rejects a deletion. */
  | "PruneBlocked"
  /** A preDelete hook has not finished. */
  | "WaitingForHook"
  /** A preDelete hook failed, or did not finish in time: a person has to act. */
  | "HookFailed"
  | "HookTimedOut";

/** Severity of the condition that reports each reason. */
export const REMOVAL_SEVERITY: Readonly<Record<RemovalReason, Severity>> = {
  WaitingForDeletion: "Info",
  DeletionTimedOut: "Error",
  PruneBlocked: "Warning",
  WaitingForHook: "Info",
  HookFailed: "Error",
  HookTimedOut: "Error",
};

/** Why an Operand or inventory that is being removed still exists. */
export interface RemovalHold {
  readonly reason: RemovalReason;
  readonly message: string;
  readonly severity: Severity;
  /** Whether a person has to act. */
  readonly isStuck: boolean;
}

/**
 * Returns what blocks the removal of an object according to a condition; undefined if the condition reports no block.
 */
export function removalHold(conditions: readonly Condition[] | undefined, type: string): RemovalHold | undefined {
  const condition = findCondition(conditions, type);
  if (condition?.status !== "False" || !isRemovalReason(condition.reason)) return undefined;
  const { reason, message } = condition;
  return { reason, message, severity: REMOVAL_SEVERITY[reason], isStuck: REMOVAL_SEVERITY[reason] === "Error" };
}

function isRemovalReason(reason: string): reason is RemovalReason {
  return Object.hasOwn(REMOVAL_SEVERITY, reason);
}
