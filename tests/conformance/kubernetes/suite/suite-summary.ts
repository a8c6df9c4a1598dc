import { idOf } from "./case.ts";
import type { Result } from "./run.ts";

/** Summary of a run on a target. */
export interface SuiteSummary {
  readonly passed: number;
  readonly total: number;
  /** Failed cases that are not exceptions. */
  readonly failures: readonly Result[];
  /** Failed cases that are listed as exceptions. */
  readonly excepted: readonly Result[];
  /** Exceptions that pass, or are no longer a case. */
  readonly outdated: readonly string[];
}

/**
 * Compares results with the list of exceptions. `whole`: all cases ran, with every kubectl. Only then an exception
 * without a case is known to be outdated, and so is one of kubectl, which may depend on the version.
 */
export function summarize(
  results: readonly Result[],
  exceptions: ReadonlyMap<string, string>,
  whole: boolean,
): SuiteSummary {
  const failed = results.filter(({ failure }) => failure !== undefined);
  const failedIds = new Set(failed.map((result) => idOf(result.case)));
  const conclusive = results.filter((result) => whole || result.case.client !== "kubectl");
  const ranIds = new Set(conclusive.map((result) => idOf(result.case)));
  return {
    passed: results.length - failed.length,
    total: results.length,
    failures: failed.filter((result) => !exceptions.has(idOf(result.case))),
    excepted: failed.filter((result) => exceptions.has(idOf(result.case))),
    outdated: [...exceptions.keys()].filter((id) => !failedIds.has(id) && (whole || ranIds.has(id))),
  };
}
