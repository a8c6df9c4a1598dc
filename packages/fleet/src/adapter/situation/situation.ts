/**
 * Derives an adapter's conditions from its situation after a run. The table applies to adapters in YAML and TypeScript:
 *
 *     situation      Available   Applied                     Health
 *     reached        True        True                        True
 *     progressing    Unknown     True                        True
 *     waiting        Unknown     True if started, or False   True
 *     failed         False       True if started, or False   True
 *     undetermined   Unknown     True if started, or Unknown False
 *
 * Applied: the work for this generation has started. Available: the goal is reached. Health: the adapter could
 * determine the state.
 */
import { joinMessages, storableText, truncateText } from "@levelset/core/internal";
import type { ReportedCondition, ReportedStatus } from "../../resource/index.ts";

/** Why the goal is not reached. */
export interface Cause {
  /** Machine-readable reason in PascalCase. */
  readonly reason: string;
  readonly message: string;
}

/** State of an adapter's work on a resource. */
export type Situation =
  /** The work is done with the desired result. */
  | { readonly kind: "reached" }
  /** The work was started and has no result yet. */
  | ({ readonly kind: "progressing" } & Cause)
  /** The work cannot start yet: a precondition is not met, or an input is missing. */
  | ({ readonly kind: "waiting" } & Cause)
  /**
   * The goal is not reached, and time alone does not change that: a Job failed, a manifest was rejected, an object has
   * another owner.
   */
  | ({ readonly kind: "failed" } & Cause)
  /**
   * The adapter could not determine the state: the cluster is unreachable, a permission is missing, an expression
   * failed.
   */
  | ({ readonly kind: "undetermined" } & Cause);

/** What the failure of one request or step means for the work as a whole. */
export type FailureKind = Exclude<Situation["kind"], "reached" | "waiting">;

/** Further inputs of the conditions. */
export interface WorkState {
  /** Whether work for this generation was started, in this run or an earlier one. */
  readonly isStarted: boolean;
  /** Present while the resource is being deleted. */
  readonly deletion?: { readonly isFinalized: boolean };
}

/** Maximum length of the message of a reported condition. */
const MESSAGE_MAX = 2_000;

/** Joins the messages of several problems to one that fits into a condition. */
export function joinCauses(messages: readonly string[]): string {
  return joinMessages(messages, MESSAGE_MAX);
}

/** Returns the conditions of a report: Available, Applied and Health; during deletion also Finalized. */
export function conditionsOf(situation: Situation, { isStarted, deletion }: WorkState): readonly ReportedCondition[] {
  const { reason, message } = situation.kind === "reached" ? { reason: "Reconciled", message: "" } : causeOf(situation);
  const isEvaluated = situation.kind !== "undetermined";
  const applied = appliedStatus(situation, isStarted);
  const conditions: readonly ReportedCondition[] = [
    deletion !== undefined && isEvaluated
      ? { type: "Available", status: "False", reason: "Deleting", message }
      : { type: "Available", status: AVAILABLE[situation.kind], reason, message },
    { type: "Applied", status: applied, reason: applied === "True" ? "Applied" : reason, message: "" },
    isEvaluated
      ? { type: "Health", status: "True", reason: "Healthy", message: "" }
      : { type: "Health", status: "False", reason, message },
  ];
  if (deletion === undefined) return conditions;
  const isFinalized = deletion.isFinalized && isEvaluated;
  const finalized: ReportedCondition = {
    type: "Finalized",
    status: isFinalized ? "True" : "False",
    reason: isFinalized ? "CleanedUp" : reason,
    message,
  };
  return [...conditions, finalized];
}

const AVAILABLE: Readonly<Record<Situation["kind"], ReportedStatus>> = {
  reached: "True",
  progressing: "Unknown",
  waiting: "Unknown",
  failed: "False",
  undetermined: "Unknown",
};

function appliedStatus({ kind }: Situation, isStarted: boolean): ReportedStatus {
  if (isStarted || kind === "reached" || kind === "progressing") return "True";
  return kind === "undetermined" ? "Unknown" : "False";
}

/** Makes a cause storable: valid text of limited length. */
function causeOf({ reason, message }: Cause): Cause {
  return { reason, message: truncateText(storableText(message), MESSAGE_MAX) };
}
