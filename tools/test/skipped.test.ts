import { expect, test } from "vitest";
import { skippedTests } from "./skipped.ts";

test("skipped and pending tests are found by name, passed and failed ones are not", () => {
  const assertionResults = ["passed", "failed", "skipped", "pending", "todo"].map((status) => ({
    status,
    fullName: `is ${status}`,
  }));
  expect(skippedTests({ testResults: [{ assertionResults }] })).toEqual(["is skipped", "is pending", "is todo"]);
  expect(skippedTests({})).toEqual([]);
});
