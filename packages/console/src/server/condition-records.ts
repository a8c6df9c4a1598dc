import { READY } from "@levelset/core";
import type { RunJson } from "@levelset/operator";
import type { ConditionChange } from "../api/index.ts";

/** How bad the end of a step is: a condition that several steps show up under says the worst. */
const WORST = ["terminal", "fail", "wait", "requeueAfter", "again", "ok"];

/**
 * What a condition was before its known states, the newest of which is the first, as far as the records of runs tell; the newest
 * first too. Each is told by the first run that found it. Runs that found a known state are not among them.
 */
export function recordedChanges(
  runs: readonly RunJson[],
  type: string,
  known: readonly { readonly status: string; readonly since: string }[],
): readonly ConditionChange[] {
  const changes: ConditionChange[] = [];
  for (const run of runs) {
    const { result, message = "" } = verdictOf(run, type) ?? {};
    const last = changes.at(-1);
    if (result === undefined || (last?.status === result && last.message === message)) continue;
    changes.push({ status: result, reason: `run ${run.number}`, message, since: run.startedAt });
  }
  // A condition's time is in whole seconds: the run that made it so began in that very second, or before.
  const end = Date.parse(known.at(-1)?.since ?? "") + 1_000;
  return known.reduce(withoutState, changes.toReversed()).filter(({ since }) => Date.parse(since) < end);
}

/** Without the newest changes that are the same state, in whichever words. */
function withoutState(
  changes: readonly ConditionChange[],
  { status }: { readonly status: string },
): readonly ConditionChange[] {
  const first = changes.findIndex((change) => (change.status === "ok") !== (status === "True"));
  return first === -1 ? [] : changes.slice(first);
}

function verdictOf(run: RunJson, type: string): { readonly result: string; readonly message?: string } | undefined {
  if (type === READY) return run;
  const own = run.steps.filter(({ condition }) => condition === type);
  return own.toSorted((a, b) => WORST.indexOf(a.result) - WORST.indexOf(b.result))[0];
}
