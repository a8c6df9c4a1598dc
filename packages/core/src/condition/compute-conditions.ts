import { compareCodeUnits } from "../json/index.ts";
import { conditionUpdateOf, findCondition, READY } from "./condition.ts";
import { conditionMessage } from "./condition-message.ts";
import type { Condition, ConditionUpdate } from "./condition.ts";
import { computeReady } from "./ready.ts";
import type { ReconcileOutcome } from "./ready.ts";

/** Options of {@link computeConditions}. */
export interface ComputeConditionsOptions {
  /** The conditions that the object had before this run. */
  readonly previous: readonly Condition[] | undefined;
  readonly outcome: ReconcileOutcome;
  /** Informational updates. Ready ignores them. */
  readonly informational?: readonly ConditionUpdate[];
  readonly generation: number | undefined;
  /** The current time as RFC 3339 text; see `formatTimestamp`. */
  readonly now: string;
}

/**
 * Turns the condition updates of a run (in step order) into the list to store: Ready first, the rest sorted by type. A
 * condition whose status did not change keeps its transition time, Ready included. Equal updates therefore give an
 * equal list, and a settled object is not written again.
 */
export function computeConditions(
  updates: readonly ConditionUpdate[],
  options: ComputeConditionsOptions,
): readonly Condition[] {
  const rest = updates.filter((update) => update.type !== READY).map((update) => stamp(update, options));
  const ready = stamp(computeReady(rest, options.outcome), options);
  const informational = (options.informational ?? []).map((update) => stamp(update, options));
  return [ready, ...[...rest, ...informational].toSorted((a, b) => compareCodeUnits(a.type, b.type))];
}

function stamp(update: ConditionUpdate, options: ComputeConditionsOptions): Condition {
  const before = findCondition(options.previous, update.type);
  const { status, message } = update;
  return {
    ...conditionUpdateOf(update),
    // A message may quote arbitrary text. Text that the API server rejects would block the whole status write.
    message: conditionMessage(message),
    lastTransitionTime: before?.status === status ? before.lastTransitionTime : options.now,
    ...(options.generation === undefined ? {} : { observedGeneration: options.generation }),
  };
}
