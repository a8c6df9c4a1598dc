import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { SerializedError } from "vitest";
import type { Reporter, TestCase, TestModule, TestRunEndReason, TestSpecification, Vitest } from "vitest/node";
import type { TestReport, TestResult } from "./test-report.ts";

/** Environment variable with the path of the report. */
export const REPORT_PATH = "LEVELSET_TEST_REPORT";

/** States of a module that ran to its end. A killed worker leaves modules pending or queued, and others without one. */
const FINAL: ReadonlySet<string> = new Set(["passed", "failed", "skipped"]);

/** A vitest reporter that writes a {@link TestReport}. */
export default class ReportWriter implements Reporter {
  #root = "";
  #moduleIds: readonly string[] = [];

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#moduleIds = specifications.map(({ moduleId }) => moduleId);
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const path = process.env[REPORT_PATH];
    // An interrupted run has no report: its tests have no results.
    if (path === undefined || reason === "interrupted") return;
    const fileOf = (moduleId: string): string => relative(this.#root, moduleId).replaceAll("\\", "/");
    const isOf = (error: SerializedError, moduleId: string): boolean => error["VITEST_TEST_PATH"] === moduleId;
    const report: TestReport = {
      tests: this.#moduleIds.flatMap((moduleId) => {
        const module = modules.find((each) => each.moduleId === moduleId);
        const error = unhandledErrors.find((each) => isOf(each, moduleId));
        return resultsOf(fileOf(moduleId), module, error);
      }),
      durations: Object.fromEntries(modules.map((module) => [fileOf(module.moduleId), durationOf(module)])),
      unhandledErrors: unhandledErrors
        .filter((error) => !this.#moduleIds.some((moduleId) => isOf(error, moduleId)))
        .map(messageOf),
    };
    writeFileSync(path, JSON.stringify(report));
  }
}

/** Returns the results of a file; one of them is for a failure outside tests unless a failed test explains it. */
function resultsOf(
  file: string,
  module: TestModule | undefined,
  unhandledError: SerializedError | undefined,
): readonly TestResult[] {
  const tests = module === undefined ? [] : [...module.children.allTests()].map((test) => resultOf(file, test));
  const failure = { file, name: "", state: "failed" } as const;
  if (module === undefined || !FINAL.has(module.state()))
    return [...tests, { ...failure, message: "it did not run to its end" }];
  const hasOwnFailure = module.state() === "failed" || unhandledError !== undefined;
  if (!hasOwnFailure || tests.some(({ state }) => state === "failed")) return tests;
  const error = unhandledError ?? module.errors()[0];
  return [...tests, { ...failure, ...(error === undefined ? {} : { message: messageOf(error) }) }];
}

function resultOf(file: string, test: TestCase): TestResult {
  const { state } = test.result();
  // A test that never ran because its file failed is pending.
  return { file, name: test.fullName, state: state === "pending" ? "skipped" : state };
}

/** Returns the message of an error and of its cause, for example of the error that ended a worker. */
function messageOf({ message, cause }: SerializedError): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

function durationOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return Math.round(collectDuration + setupDuration + duration);
}
