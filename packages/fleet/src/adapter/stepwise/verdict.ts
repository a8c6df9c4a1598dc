import { storableText, truncateText } from "@levelset/core";
import type { Condition } from "@levelset/core";
import { describeResult } from "@levelset/operator";
import type { AnyResult, RunReport } from "@levelset/operator";
import type { ReportedCondition } from "../../resource/index.ts";

type Ran = Extract<RunReport, { readonly kind: "ran" }>;

/** How far a run came with a resource. */
export interface RunState {
  readonly isDeleting: boolean;
  /** Whether cleanup is complete. */
  readonly isFinalized: boolean;
}

/** What an adapter reports of a run: the four conditions that everybody knows. */
export function verdictOf(
  { result, conditions }: Ran,
  { isDeleting, isFinalized }: RunState,
): readonly ReportedCondition[] {
  const is = judge(result);
  const { reason, message } = explained(result, conditions);
  const available = isDeleting ? "False" : is === "done" ? "True" : is === "working" ? "Unknown" : "False";
  return [
    { type: "Available", status: available, reason: isDeleting ? "Deleting" : reason, message },
    {
      type: "Applied",
      status: is === "failed" ? "False" : "True",
      reason: is === "failed" ? reason : "Applied",
      message: "",
    },
    {
      type: "Health",
      status: is === "failed" ? "False" : "True",
      reason: is === "failed" ? reason : "Healthy",
      message: is === "failed" ? message : "",
    },
    ...(isDeleting
      ? [
          {
            type: "Finalized",
            status: isFinalized ? "True" : "False",
            reason: isFinalized ? "CleanedUp" : reason,
            message,
          } as const,
        ]
      : []),
  ];
}

/** Done, still at work, or failed. Waiting for what somebody must mend is a failure too. */
function judge(result: AnyResult): "done" | "working" | "failed" {
  switch (result.kind) {
    case "ok":
      return "done";
    case "wait":
    case "requeueAfter":
      return result.condition?.severity === "Error" || result.condition?.severity === "Warning" ? "failed" : "working";
    default:
      return "failed";
  }
}

/** In the words of the step's own condition, which are those that people know from operators. */
function explained(
  result: AnyResult,
  conditions: readonly Condition[],
): { readonly reason: string; readonly message: string } {
  if (result.kind === "ok") return { reason: "Reconciled", message: "" };
  const open = conditions.filter(({ type, status }) => type !== "Ready" && status !== "True");
  // Steps that were not reached only wait for another.
  const blocking = open.find(({ status }) => status === "False") ?? open[0];
  const message = blocking === undefined ? describeResult(result) : `${blocking.type}: ${blocking.message ?? ""}`;
  return { reason: blocking?.reason ?? "NotReady", message: truncateText(storableText(message), 2_000) };
}
