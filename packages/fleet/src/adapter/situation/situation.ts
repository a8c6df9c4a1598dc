/**
 * What an adapter reports, decided from what it knows of its work at the end of a run. One table for adapters in YAML and in TypeScript:
 *
 *     situation      Available   Applied                     Health
 *     reached        True        True                        True
 *     progressing    Unknown     True                        True
 *     waiting        Unknown     True if started, or False   True
 *     failed         False       True if started, or False   True
 *     unjudged       Unknown     True if started, or Unknown False
 *
 * Applied: the work for this generation was started. Available: the goal is reached. Health: the adapter could judge.
 */
import { storableText, truncateText } from "@levelset/core";
import type { ReportedCondition, ReportedStatus } from "../../resource/index.ts";

/** Why the goal is not reached. */
export interface Cause {
  /** One word for programs. */
  readonly reason: string;
  readonly message: string;
}

/** What an adapter knows of its work on a resource. */
export type Situation =
  /** The work is done and has the wanted result. */
  | { readonly kind: "reached" }
  /** The work was started and has no result yet. */
  | ({ readonly kind: "progressing" } & Cause)
  /** The work cannot start yet: a precondition is not met, or an input is missing. */
  | ({ readonly kind: "waiting" } & Cause)
  /** The goal is not reached, and time alone does not change that: a Job failed, a manifest was refused, an object is not ours. */
  | ({ readonly kind: "failed" } & Cause)
  /** The adapter could not find out: the cluster is unreachable, a right is missing, an expression failed. */
  | ({ readonly kind: "unjudged" } & Cause);

/** What a failure of one request or step means for the work as a whole. */
export type FailureKind = Exclude<Situation["kind"], "reached" | "waiting">;

/** What else the conditions depend on. */
export interface WorkState {
  /** Whether work for this generation was started, in this run or an earlier one. */
  readonly isStarted: boolean;
  /** Present while the resource is being deleted. */
  readonly deletion?: { readonly isFinalized: boolean };
}

const MESSAGE_MAX = 2_000;

/** The conditions of a report: Available, Applied and Health; in a deletion Finalized too. */
export function conditionsOf(situation: Situation, { isStarted, deletion }: WorkState): readonly ReportedCondition[] {
  const { reason, message } = situation.kind === "reached" ? { reason: "Reconciled", message: "" } : causeOf(situation);
  const isJudged = situation.kind !== "unjudged";
  const applied = appliedStatus(situation, isStarted);
  const conditions: readonly ReportedCondition[] = [
    deletion !== undefined && isJudged
      ? { type: "Available", status: "False", reason: "Deleting", message }
      : { type: "Available", status: AVAILABLE[situation.kind], reason, message },
    { type: "Applied", status: applied, reason: applied === "True" ? "Applied" : reason, message: "" },
    isJudged
      ? { type: "Health", status: "True", reason: "Healthy", message: "" }
      : { type: "Health", status: "False", reason, message },
  ];
  if (deletion === undefined) return conditions;
  const isFinalized = deletion.isFinalized && isJudged;
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
  unjudged: "Unknown",
};

function appliedStatus({ kind }: Situation, isStarted: boolean): ReportedStatus {
  if (isStarted || kind === "reached" || kind === "progressing") return "True";
  return kind === "unjudged" ? "Unknown" : "False";
}

/** A cause as a report may carry it. */
function causeOf({ reason, message }: Cause): Cause {
  return { reason, message: truncateText(storableText(message), MESSAGE_MAX) };
}
