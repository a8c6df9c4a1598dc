import { expect, test } from "vitest";
import { summaryLine, skippedTests } from "./test-report.ts";

test("skipped and pending tests are found by name, passed and failed ones are not", () => {
  const assertionResults = ["passed", "failed", "skipped", "pending", "todo"].map((status) => ({
    status,
    fullName: `is ${status}`,
  }));
  expect(skippedTests({ testResults: [{ assertionResults }] })).toEqual(["is skipped", "is pending", "is todo"]);
  expect(skippedTests({})).toEqual([]);
});

test("a run ends with one summary line", () => {
  expect(summaryLine({ numPassedTests: 7, numFailedTests: 0 })).toBe("7 passed, 0 failed");
  const testResults = [{ assertionResults: [{ status: "skipped", fullName: "x" }] }];
  expect(summaryLine({ numPassedTests: 7, numFailedTests: 1, testResults })).toBe("7 passed, 1 failed, 1 skipped");
});
