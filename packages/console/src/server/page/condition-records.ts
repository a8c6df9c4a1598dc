import { READY } from "@levelset/core";
import type { RunJson, RunResult } from "@levelset/operator/internal";
import type { ConditionChange } from "../../api/index.ts";

/** Results of steps, the most severe first. A condition of several steps has the most severe result. */
const BY_SEVERITY: readonly RunResult[] = ["terminal", "fail", "wait", "requeueAfter", "again", "ok"];

/**
 * Returns the states of a condition before its known states, by the records of runs. `known` and the result are ordered
 * newest first. Each change is attributed to the first run with that result. Runs whose result matches a known state
 * are omitted.
 */
export function recordedChanges(
  runs: readonly RunJson[],
  type: string,
  known: readonly { readonly status: string; readonly since: string }[],
): readonly ConditionChange[] {
  const changes: ConditionChange[] = [];
  for (const run of runs) {
    const { result, message = "" } = resultOf(run, type) ?? {};
    const last = changes.at(-1);
    if (result === undefined || (last?.status === result && last.message === message)) continue;
    changes.push({ status: result, reason: `run ${run.number}`, message, since: run.startedAt });
  }
  // Condition times are truncated to seconds, so the run that set the condition started before the end of that second.
  const end = Date.parse(known.at(-1)?.since ?? "") + 1_000;
  return known.reduce(withoutState, changes.toReversed()).filter(({ since }) => Date.parse(since) < end);
}

/** Removes the newest changes that have the given state. */
function withoutState(
  changes: readonly ConditionChange[],
  { status }: { readonly status: string },
): readonly ConditionChange[] {
  const first = changes.findIndex((change) => (change.status === "ok") !== (status === "True"));
  return first === -1 ? [] : changes.slice(first);
}

function resultOf(run: RunJson, type: string): Pick<RunJson, "result" | "message"> | undefined {
  if (type === READY) return run;
  const own = run.steps.filter(({ condition }) => condition === type);
  return own.toSorted((a, b) => BY_SEVERITY.indexOf(a.result) - BY_SEVERITY.indexOf(b.result))[0];
}
