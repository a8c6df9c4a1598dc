import { findCondition } from "@levelset/core";
import type { Condition } from "@levelset/core";

/** Why an Operand or inventory that is being removed still exists. */
export interface RemovalHold {
  readonly reason: string;
  readonly message: string;
  /** Whether a person has to act. */
  readonly isStuck: boolean;
}

const REASONS = ["WaitingForDeletion", "PruneBlocked", "DeletionTimedOut"];

/**
 * Returns what blocks the removal of an object according to a condition; undefined if the condition reports no block.
 */
export function removalHold(conditions: readonly Condition[] | undefined, type: string): RemovalHold | undefined {
  const condition = findCondition(conditions, type);
  if (condition?.status !== "False" || !REASONS.includes(condition.reason)) return undefined;
  const { reason, message } = condition;
  return { reason, message, isStuck: reason === "DeletionTimedOut" };
}
