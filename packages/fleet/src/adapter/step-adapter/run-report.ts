import { StatusError } from "@levelset/core";
import { severityRank } from "@levelset/core/internal";
import type { Condition } from "@levelset/core";
import { CLEANED_UP, describeResult, NOT_OURS } from "@levelset/operator/internal";
import type { AnyResult } from "@levelset/operator";
import type { RunReport } from "@levelset/operator";
import { conditionsOf, joinCauses } from "../situation/index.ts";
import type { Cause, Situation } from "../situation/index.ts";
import type { ReportedCondition } from "../../resource/index.ts";

type Ran = Extract<RunReport, { readonly kind: "ran" }>;

/** State of a resource after a run. */
export interface RunState {
  readonly isDeleting: boolean;
  /** Whether cleanup is complete. */
  readonly isFinalized: boolean;
  /** Whether an earlier run started the work for this generation. */
  readonly wasStarted: boolean;
  /** Names of steps that only read. They start no work. */
  readonly readers: ReadonlySet<string>;
  /** Why the adapter cannot observe its cluster, if so. The steps may then have read stale data. */
  readonly unreachable: string | undefined;
}

/** Returns the conditions that an adapter made of steps reports for a run. */
export function reportFromRun(ran: Ran, state: RunState): readonly ReportedCondition[] {
  const { isDeleting, isFinalized, wasStarted, readers, unreachable } = state;
  const situation = unreachable === undefined ? situationOf(ran, readers) : unreachableCluster(unreachable);
  return conditionsOf(situation, {
    isStarted: wasStarted || isStarted(ran, readers),
    ...(isDeleting ? { deletion: { isFinalized } } : {}),
  });
}

/** Reason of Health while the cluster is unreachable. */
export const CLUSTER_UNREACHABLE = "ClusterUnreachable";

/** The situation of an adapter whose cluster is unreachable. */
export function unreachableCluster(message: string): Situation {
  return { kind: "undetermined", reason: CLUSTER_UNREACHABLE, message };
}

/**
 * Derives the situation from the step results: whether the goal is reached, and whether the adapter could determine the
 * state.
 */
function situationOf({ result, steps, conditions }: Ran, readers: ReadonlySet<string>): Situation {
  const cause = causeOf(result, conditions);
  switch (result.kind) {
    case "ok":
      return { kind: "reached" };
    case "wait":
    case "requeueAfter": {
      if ([result, ...steps.map((one) => one.result)].some(isBad)) return { kind: "failed", ...cause };
      const isReading = steps.some((one) => one.result.kind !== "ok" && readers.has(one.step));
      return { kind: isReading ? "waiting" : "progressing", ...cause };
    }
    case "terminal":
      return { kind: "failed", ...cause };
    default: {
      const failures = steps.flatMap((one) => (one.result.kind === "fail" ? [one.result] : []));
      // A failure outside of the steps is a failure to save the result.
      const isEvaluated = (failures.length === 0 ? [result] : failures).every(isRefused);
      return { kind: isEvaluated ? "failed" : "undetermined", ...cause };
    }
  }
}

/** Returns whether a step waits for something that a person has to fix. */
function isBad(result: AnyResult): boolean {
  if (result.kind !== "wait" && result.kind !== "requeueAfter") return false;
  const { severity } = result.condition ?? {};
  return severity === "Error" || severity === "Warning";
}

/**
 * Returns whether a failure is a verdict: the step requires a person to act, or the server rejects the request. Other
 * failures may be transient.
 */
function isRefused(result: Extract<AnyResult, { readonly kind: "fail" }>): boolean {
  const { error, condition } = result;
  if (condition?.severity === "Error") return true;
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.every(isRefusal);
}

function isRefusal(error: unknown): boolean {
  return error instanceof StatusError && (error.reason === "Invalid" || error.reason === "BadRequest");
}

/** Returns whether a writing step produced a result of its own: done, in progress, or failed after it started. */
function isStarted({ steps }: Ran, readers: ReadonlySet<string>): boolean {
  return steps.some(({ step, phase, result }) => {
    if (phase === "post" || readers.has(step) || result.kind === "fail") return false;
    if (result.kind === "ok") return true;
    if (result.kind === "terminal") return !isRefusal(result.error);
    return result.condition?.reason !== NOT_OURS;
  });
}

/** Uses the reason of the worst condition of a step, and the messages of all that are equally bad. */
function causeOf(result: AnyResult, conditions: readonly Condition[]): Cause {
  const open = conditions.filter(({ type, reason }) => type !== "Ready" && reason !== CLEANED_UP);
  const worst = Math.min(...open.map(severityRank));
  const blocking = open.filter((condition) => condition.status !== "True" && severityRank(condition) === worst);
  const [first] = blocking;
  if (first === undefined) return { reason: "NotReady", message: describeResult(result) };
  // Steps that were not reached only wait for another step.
  const shown = first.status === "Unknown" ? [first] : blocking;
  return { reason: first.reason, message: joinCauses(shown.map(({ type, message }) => `${type}: ${message}`)) };
}
