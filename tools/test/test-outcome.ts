import type { TestReport, TestResult } from "./test-report.ts";

/** The slowest files that an outcome lists. */
const SLOWEST_MAX = 25;
/** More flaky tests than this fail the run. */
const FLAKY_MAX = 1;

/** A test that failed and passed when its file ran again. */
export interface FlakyTest {
  readonly file: string;
  readonly name: string;
  /** Whether it uses no real process, socket or clock: see `pure-test.ts`. */
  readonly isPure: boolean;
  /** The error of a failure outside tests. */
  readonly message?: string;
}

/** Result of a run with its rerun. */
export interface TestOutcome {
  readonly isPassed: boolean;
  readonly passed: number;
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  readonly flaky: readonly FlakyTest[];
  /** Messages of errors that belong to no file. */
  readonly unhandledErrors: readonly string[];
  /** The slowest files, slowest first. */
  readonly slowest: readonly { readonly file: string; readonly ms: number }[];
}

/** Returns the files with a failure, which run a second time. */
export function failedFiles({ tests }: TestReport): readonly string[] {
  return [...new Set(tests.filter(({ state }) => state === "failed").map(({ file }) => file))];
}

/**
 * Combines a run with the rerun of its failed files. The second result of a file counts, but a test that passed only
 * then is flaky, and a test that failed and did not run again has failed. More than one flaky test, or a flaky pure
 * test, fails the run: it has no reason to vary. An unhandled error that belongs to no file fails the run too, because
 * nothing can be run again.
 */
export function combine(
  first: TestReport,
  second: TestReport | undefined,
  isPure: (file: string) => boolean,
): TestOutcome {
  const repeated = new Set(second === undefined ? [] : failedFiles(first));
  const tests = [...first.tests.filter(({ file }) => !repeated.has(file)), ...(second?.tests ?? [])];
  const passed = tests.filter(({ state }) => state === "passed");
  const failures = first.tests.filter(({ state }) => state === "failed");
  const flaky = failures
    .filter((test) => isRepaired(test, second))
    .map(({ file, name, message }) => {
      return { file, name, isPure: isPure(file), ...(message === undefined ? {} : { message }) };
    });
  const failed = [
    ...tests.filter(({ state }) => state === "failed").map(testId),
    ...failures.filter((test) => isLost(test, second)).map((test) => `${testId(test)} (did not run again)`),
  ];
  const unhandledErrors = [...first.unhandledErrors, ...(second?.unhandledErrors ?? [])];
  const isTolerable = flaky.length <= FLAKY_MAX && flaky.every((test) => !test.isPure);
  return {
    isPassed: failed.length === 0 && unhandledErrors.length === 0 && isTolerable,
    passed: passed.length,
    failed,
    skipped: tests.filter(({ state }) => state === "skipped").map(testId),
    flaky,
    unhandledErrors,
    slowest: Object.entries(first.durations)
      .map(([file, ms]) => ({ file, ms }))
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, SLOWEST_MAX),
  };
}

/** Returns whether a failed test passed in the second run; a failure outside tests, whether all tests of its file did. */
function isRepaired(test: TestResult, second: TestReport | undefined): boolean {
  const states = statesOf(test, second);
  return states.has("passed") && !states.has("failed");
}

/** Returns whether a failed test neither passed nor failed in the second run, for example because it was skipped. */
function isLost(test: TestResult, second: TestReport | undefined): boolean {
  const states = statesOf(test, second);
  return second !== undefined && !states.has("passed") && !states.has("failed");
}

/** Returns the states of the tests with this name; for a failure outside tests, of all tests of its file. */
function statesOf({ file, name }: TestResult, report: TestReport | undefined): ReadonlySet<TestResult["state"]> {
  const tests = report?.tests.filter((test) => test.file === file && (name === "" || test.name === name)) ?? [];
  return new Set(tests.map(({ state }) => state));
}

/** Returns the lines that describe an outcome; the last one is the summary. */
export function outcomeLines({ passed, failed, skipped, flaky, unhandledErrors }: TestOutcome): readonly string[] {
  const counts = [
    `${passed} passed`,
    `${failed.length} failed`,
    ...(skipped.length === 0 ? [] : [`${skipped.length} skipped`]),
    ...(flaky.length === 0 ? [] : [`${flaky.length} flaky`]),
    ...(unhandledErrors.length === 0 ? [] : [`${unhandledErrors.length} unhandled errors`]),
  ];
  return [
    ...skipped.map((id) => `skipped: ${id}`),
    ...failed.map((id) => `failed: ${id}`),
    ...unhandledErrors.map((message) => `unhandled error: ${message}`),
    ...flaky.map((test) => `FLAKY: ${testId(test)}${test.isPure ? " (pure: fails the run)" : ""}`),
    ...(flaky.length > FLAKY_MAX ? [`${flaky.length} tests are flaky, more than ${FLAKY_MAX}: fails the run`] : []),
    counts.join(", "),
  ];
}

function testId({ file, name, message }: Pick<TestResult, "file" | "name" | "message">): string {
  if (name !== "") return `${file} > ${name}`;
  return `${file} > (outside its tests)${message === undefined ? "" : `: ${message}`}`;
}
