import { LinkedAbortController, onAbort } from "@levelset/core/internal";
import type { RunDependencies } from "./run-dependencies.ts";

/**
 * Runs a part of a run under a deadline. When it expires or the operator stops, the signal of `budget` aborts and its
 * `race` rejects, so work that ignores the signal fails its own object and does not block others. Rejects with the error
 * of the work.
 */
export async function withRunDeadline<T>(
  { clock, deadlineMs: ms, signal }: Pick<RunDependencies, "clock" | "deadlineMs" | "signal">,
  work: (budget: LinkedAbortController) => Promise<T>,
): Promise<T> {
  const error = (): Error => new Error(`deadline exceeded: not finished within ${ms / 1_000} s`);
  using budget = new LinkedAbortController([], { clock, ms, error });
  using _ = onAbort(signal, () => budget.abort(new Error("the operator is stopping")));
  return await work(budget);
}
