import { loadCases } from "./case.ts";
import type { Case } from "./case.ts";
import { runCase } from "./run.ts";

/** A case that does not pass. */
export interface Failure {
  readonly case: Case;
  readonly reason: string;
}

/** What running all cases gives. */
export interface SuiteResult {
  readonly cases: readonly Case[];
  readonly total: number;
  readonly passed: number;
  readonly pureTotal: number;
  readonly purePassed: number;
  readonly failures: readonly Failure[];
}

/** Runs all cases of the suite. */
export function runSuite(): SuiteResult {
  const cases = loadCases();
  const failures = cases.flatMap((each): readonly Failure[] => {
    const reason = runCase(each);
    return reason === undefined ? [] : [{ case: each, reason }];
  });
  const pureTotal = cases.filter(({ isProtobuf }) => !isProtobuf).length;
  const pureFailed = failures.filter((failure) => !failure.case.isProtobuf).length;
  return {
    cases,
    total: cases.length,
    passed: cases.length - failures.length,
    pureTotal,
    purePassed: pureTotal - pureFailed,
    failures,
  };
}
