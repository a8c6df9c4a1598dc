import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule, TestRunEndReason, Vitest } from "vitest/node";
import type { TestReport, TestResult } from "./test-report.ts";

/** Environment variable with the path of the report. */
export const REPORT_PATH = "LEVELSET_TEST_REPORT";

/** A vitest reporter that writes a {@link TestReport}. */
export default class ReportWriter implements Reporter {
  #root = "";

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[], reason: TestRunEndReason): void {
    const path = process.env[REPORT_PATH];
    // An interrupted run has no report: its tests have no results.
    if (path === undefined || reason === "interrupted") return;
    const fileOf = ({ moduleId }: TestModule): string => relative(this.#root, moduleId).replaceAll("\\", "/");
    const report: TestReport = {
      tests: modules.flatMap((module) => resultsOf(fileOf(module), module)),
      durations: Object.fromEntries(modules.map((module) => [fileOf(module), durationOf(module)])),
      unhandledErrors: unhandledErrors.length,
    };
    writeFileSync(path, JSON.stringify(report));
  }
}

function resultsOf(file: string, module: TestModule): readonly TestResult[] {
  const tests = [...module.children.allTests()].map((test) => resultOf(file, test));
  const hasOwnFailure = module.state() === "failed" && tests.every(({ state }) => state !== "failed");
  return hasOwnFailure ? [...tests, { file, name: "", state: "failed" }] : tests;
}

function resultOf(file: string, test: TestCase): TestResult {
  const { state } = test.result();
  // A test that never ran because its file failed is pending.
  return { file, name: test.fullName, state: state === "pending" ? "skipped" : state };
}

function durationOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return Math.round(collectDuration + setupDuration + duration);
}
