import { loadCases } from "./case.ts";
import type { Case } from "./case.ts";
import { runCase } from "./run.ts";

/** A failed case. */
export interface Failure {
  readonly case: Case;
  readonly reason: string;
}

/** Result of all cases. */
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
