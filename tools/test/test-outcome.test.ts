import { describe, expect, test } from "vitest";
import { combine, failedFiles, outcomeLines } from "./test-outcome.ts";
import type { TestReport, TestResult } from "./test-report.ts";

const [PURE, REAL] = ["pure.test.ts", "real.test.ts"];

describe("a run with a rerun of its failed files", () => {
  test("passes with one flaky test that uses a real process", () => {
    const outcome = combined([failed(REAL, "a"), passed(PURE, "b")], [passed(REAL, "a")]);
    expect(outcome).toMatchObject({ isPassed: true, passed: 2, failed: [] });
    expect(outcome.flaky).toEqual([{ file: REAL, name: "a", isPure: false }]);
    expect(outcomeLines(outcome)).toEqual(["FLAKY: real.test.ts > a", "2 passed, 0 failed, 1 flaky"]);
  });

  test("fails with a flaky pure test", () => {
    const outcome = combined([failed(PURE, "a")], [passed(PURE, "a")]);
    expect(outcome).toMatchObject({ isPassed: false, failed: [] });
    expect(outcomeLines(outcome)).toContain("FLAKY: pure.test.ts > a (pure: fails the run)");
  });

  test("fails with two flaky tests", () => {
    const outcome = combined([failed(REAL, "a"), failed(REAL, "b")], [passed(REAL, "a"), passed(REAL, "b")]);
    expect(outcome).toMatchObject({ isPassed: false, failed: [] });
    expect(outcomeLines(outcome)).toContain("2 tests are flaky, more than 1: fails the run");
  });

  test("fails with a test that fails twice, or only in the second run", () => {
    const outcome = combined([failed(REAL, "a"), passed(REAL, "b")], [failed(REAL, "a"), failed(REAL, "b")]);
    expect(outcome).toMatchObject({ isPassed: false, flaky: [], failed: ["real.test.ts > a", "real.test.ts > b"] });
  });

  test("takes a file that could not be loaded the first time as one flaky test", () => {
    const outcome = combined([failed(REAL, "")], [passed(REAL, "a"), passed(REAL, "b")]);
    expect(outcome).toMatchObject({ isPassed: true, passed: 2 });
    expect(outcomeLines(outcome)).toContain("FLAKY: real.test.ts > (outside its tests)");
    expect(combined([failed(REAL, "")], [passed(REAL, "a"), failed(REAL, "")]).flaky).toEqual([]);
  });

  test.for([
    ["is skipped", [skipped(REAL, "a"), passed(REAL, "b")]],
    ["is renamed", [passed(REAL, "A"), passed(REAL, "b")]],
    ["is in a file that does not run", []],
  ] as const)("fails with a failed test that %s the second time", ([, second]) => {
    const outcome = combined([failed(REAL, "a"), passed(REAL, "b")], second);
    expect(outcome).toMatchObject({ isPassed: false, flaky: [], failed: ["real.test.ts > a (did not run again)"] });
    expect(outcomeLines(outcome)).toContain("failed: real.test.ts > a (did not run again)");
  });

  test("fails with a file that could not be loaded the first time and whose tests are all skipped the second time", () => {
    const outcome = combined([failed(REAL, "")], [skipped(REAL, "a")]);
    expect(outcome.failed).toEqual(["real.test.ts > (outside its tests) (did not run again)"]);
    expect(combined([failed(REAL, "")], [failed(REAL, "a")]).failed).toEqual(["real.test.ts > a"]);
  });

  test("fails with one of two tests of the same name that fails twice", () => {
    const outcome = combined([failed(REAL, "a"), passed(REAL, "a")], [failed(REAL, "a"), passed(REAL, "a")]);
    expect(outcome).toMatchObject({ isPassed: false, flaky: [], failed: ["real.test.ts > a"] });
  });

  test("fails with an unhandled error in either run", () => {
    const clean = report([failed(REAL, "a")]);
    const unhandled = { ...report([passed(REAL, "a")]), unhandledErrors: ["x"] };
    expect(combine(unhandled, undefined, isPure).isPassed).toBe(false);
    expect(combine(clean, unhandled, isPure).isPassed).toBe(false);
    expect(outcomeLines(combine(unhandled, undefined, isPure))).toEqual([
      "unhandled error: x",
      "1 passed, 0 failed, 1 unhandled errors",
    ]);
  });
});

test("only files with a failure run again, each once", () => {
  expect(failedFiles(report([failed("a", "1"), failed("a", "2"), passed("b", "1"), failed("c", "")]))).toEqual([
    "a",
    "c",
  ]);
});

test("skipped tests are listed, and files by their duration", () => {
  const outcome = combine(
    { tests: [{ file: "a", name: "x", state: "skipped" }], durations: { a: 1, b: 20, c: 3 }, unhandledErrors: [] },
    undefined,
    isPure,
  );
  expect(outcomeLines(outcome)).toEqual(["skipped: a > x", "0 passed, 0 failed, 1 skipped"]);
  expect(outcome.slowest.map(({ file }) => file)).toEqual(["b", "c", "a"]);
});

function combined(first: readonly TestResult[], second: readonly TestResult[]): ReturnType<typeof combine> {
  return combine(report(first), report(second), isPure);
}

function isPure(file: string): boolean {
  return file === PURE;
}

function report(tests: readonly TestResult[]): TestReport {
  return { tests, durations: {}, unhandledErrors: [] };
}

function passed(file: string, name: string): TestResult {
  return { file, name, state: "passed" };
}

function failed(file: string, name: string): TestResult {
  return { file, name, state: "failed" };
}

function skipped(file: string, name: string): TestResult {
  return { file, name, state: "skipped" };
}
