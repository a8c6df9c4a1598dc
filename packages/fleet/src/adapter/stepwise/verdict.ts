import { StatusError } from "@levelset/core";
import type { Condition } from "@levelset/core";
import { describeResult } from "@levelset/operator";
import type { AnyResult, RunReport } from "@levelset/operator";
import { conditionsOf } from "../situation/index.ts";
import type { Cause, Situation } from "../situation/index.ts";
import type { ReportedCondition } from "../../resource/index.ts";

type Ran = Extract<RunReport, { readonly kind: "ran" }>;

/** How far a run came with a resource. */
export interface RunState {
  readonly isDeleting: boolean;
  /** Whether cleanup is complete. */
  readonly isFinalized: boolean;
  /** Whether an earlier run has started the work for this generation. */
  readonly wasStarted: boolean;
  /** Steps that only read. They start no work. */
  readonly readers: ReadonlySet<string>;
  /** What keeps the adapter from seeing its cluster, if anything does. Then the steps have read what may be old. */
  readonly unreachable: string | undefined;
}

/** The conditions that an adapter made of steps reports of a run. */
export function verdictOf(ran: Ran, state: RunState): readonly ReportedCondition[] {
  const { isDeleting, isFinalized, wasStarted, readers, unreachable } = state;
  const situation = unreachable === undefined ? situationOf(ran, readers) : unreachableCluster(unreachable);
  return conditionsOf(situation, {
    isStarted: wasStarted || isStarted(ran, readers),
    ...(isDeleting ? { deletion: { isFinalized } } : {}),
  });
}

/** The reason of Health while the adapter cannot see its cluster. */
export const CLUSTER_UNREACHABLE = "ClusterUnreachable";

/** The situation of an adapter that cannot see its cluster. */
export function unreachableCluster(message: string): Situation {
  return { kind: "unjudged", reason: CLUSTER_UNREACHABLE, message };
}

/** The situation after a run: the results of its steps say whether the goal is reached, and whether anything can be said at all. */
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
      // A failure of no step is one to save the result.
      const isJudged = (failures.length === 0 ? [result] : failures).every(isRefused);
      return { kind: isJudged ? "failed" : "unjudged", ...cause };
    }
  }
}

/** Whether a step waits for what a person has to fix. */
function isBad(result: AnyResult): boolean {
  if (result.kind !== "wait" && result.kind !== "requeueAfter") return false;
  const { severity } = result.condition ?? {};
  return severity === "Error" || severity === "Warning";
}

/** Whether a failure is a verdict: the step says that a person has to act, or the server refuses what is asked for. Any other may go by itself. */
function isRefused(result: Extract<AnyResult, { readonly kind: "fail" }>): boolean {
  const { error, condition } = result;
  if (condition?.severity === "Error") return true;
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.every(isRefusal);
}

function isRefusal(error: unknown): boolean {
  return error instanceof StatusError && (error.reason === "Invalid" || error.reason === "BadRequest");
}

/** Whether a step that acts came to a result of its own: done, in progress, or failed at work that ran. */
function isStarted({ steps }: Ran, readers: ReadonlySet<string>): boolean {
  return steps.some(({ step, phase, result }) => {
    if (phase === "post" || readers.has(step) || result.kind === "fail") return false;
    if (result.kind === "ok") return true;
    if (result.kind === "terminal") return !isRefusal(result.error);
    return result.condition?.reason !== "NotOurs";
  });
}

/** In the words of the step's own condition, which are those that people know from operators. */
function causeOf(result: AnyResult, conditions: readonly Condition[]): Cause {
  const open = conditions.filter(({ type, status }) => type !== "Ready" && status !== "True");
  // Steps that were not reached only wait for another.
  const blocking = open.find(({ status }) => status === "False") ?? open[0];
  const message = blocking === undefined ? describeResult(result) : `${blocking.type}: ${blocking.message ?? ""}`;
  return { reason: blocking?.reason ?? "NotReady", message };
}
