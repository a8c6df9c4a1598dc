import { idOf } from "./case.ts";
import type { Result } from "./run.ts";

/** What a run says about a target. */
export interface Verdict {
  readonly passed: number;
  readonly total: number;
  /** Fail, and are no exception. */
  readonly failures: readonly Result[];
  /** Fail, as the list of exceptions says. */
  readonly excepted: readonly Result[];
  /** On the list of exceptions, but pass, or are no case any more. */
  readonly outdated: readonly string[];
}

/**
 * Judges results by the list of exceptions. `whole`: all cases ran, with every kubectl. Only then an exception that is no case is known
 * to be outdated, and so is one of kubectl, which may be about a single version.
 */
export function judge(results: readonly Result[], exceptions: ReadonlyMap<string, string>, whole: boolean): Verdict {
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
