import { findCondition } from "@levelset/core";
import type { Condition } from "@levelset/core";

/** Why an Operand or an inventory that is being removed is still there. */
export interface RemovalHold {
  readonly reason: string;
  readonly message: string;
  /** Whether a person has to act. */
  readonly isStuck: boolean;
}

const REASONS = ["WaitingForDeletion", "PruneBlocked", "DeletionTimedOut"];

/** What a condition says that keeps an object from going; undefined when it says nothing of that. */
export function removalHold(conditions: readonly Condition[] | undefined, type: string): RemovalHold | undefined {
  const condition = findCondition(conditions, type);
  if (condition?.status !== "False" || !REASONS.includes(condition.reason)) return undefined;
  const { reason, message } = condition;
  return { reason, message, isStuck: reason === "DeletionTimedOut" };
}
