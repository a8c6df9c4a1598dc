import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { PAGE, page } from "./page.ts";
import { runCase } from "./run.ts";
import { runSuite } from "./suite.ts";

const RESULT = runSuite();

test("every case of the suite that involves no protobuf message passes", () => {
  expect(RESULT.pureTotal).toBeGreaterThan(1_600);
  expect(RESULT.failures.filter((failure) => !failure.case.isProtobuf)).toEqual([]);
});

test("cases with protobuf messages pass through the type provider", () => {
  expect(RESULT.total).toBeGreaterThan(2_300);
  expect(RESULT.failures.map(({ case: { id }, reason }) => `${id}: ${reason}`)).toEqual([]);
});

test("a case with a wrong expectation fails: the runner compares", () => {
  const values = RESULT.cases.filter(({ test: { resultMatcher } }) => resultMatcher.case === "value");
  const errors = RESULT.cases.filter(({ test: { resultMatcher } }) => resultMatcher.case === "evalError");
  const [value] = values;
  const [error] = errors;
  if (value === undefined || error === undefined) throw new Error("the suite has both kinds");
  const passing = values.filter((each) => {
    return runCase({ ...each, test: { ...each.test, resultMatcher: error.test.resultMatcher } }) === undefined;
  });
  const swapped = errors.filter((each) => {
    return runCase({ ...each, test: { ...each.test, resultMatcher: value.test.resultMatcher } }) === undefined;
  });
  expect([...passing, ...swapped].map(({ id }) => id)).toEqual([]);
});

test("the conformance page is up to date", () => {
  const file = fileURLToPath(new URL(`../../../${PAGE}`, import.meta.url));
  expect(readFileSync(file, "utf8")).toBe(page(RESULT));
});
