import { MemoryStore } from "@levelset/apiserver";
import { expect, test } from "vitest";
import type { Violation } from "../violation/index.ts";
import { FoundViolations } from "./found-violations.ts";

function violation(rule: Violation["rule"], object: string): Violation {
  return { rule, object, message: "", expected: "" };
}

/** Numbers the states that are captured. */
function numberedStates() {
  let count = 0;
  return () => ({ store: new MemoryStore(), now: 0, atMs: ++count, events: 0, runs: [] });
}

test("the state of a violation is the one when it was noticed first", () => {
  const found = new FoundViolations(numberedStates());
  found.notice(() => [violation("job-repeated", "Job a")]);
  found.reached("rest");
  found.add(violation("left-behind", "ConfigMap a"), violation("job-repeated", "Job a"));
  expect(found.all.map(({ rule }) => rule)).toEqual(["left-behind", "job-repeated"]);
  expect(found.stateOf(violation("job-repeated", "Job a"))?.atMs).toBe(1);
  expect(found.stateOf(violation("left-behind", "ConfigMap a"))?.atMs).toBe(3);
});

test("violations of comparisons have the state at rest, and those of a restart the state after it", () => {
  const found = new FoundViolations(numberedStates());
  found.reached("rest");
  found.reached("restarted");
  expect(found.stateOf(violation("path-changes-the-end", "ConfigMap a"))?.atMs).toBe(1);
  expect(found.stateOf(violation("restart-changes-the-end", "ConfigMap a"))?.atMs).toBe(2);
});

test("a run that is not explained keeps no states, and does not search for violations early", () => {
  const found = new FoundViolations(undefined);
  found.notice(() => {
    throw new Error("searched");
  });
  found.reached("rest");
  found.add(violation("left-behind", "ConfigMap a"));
  expect(found.stateOf(violation("left-behind", "ConfigMap a"))).toBeUndefined();
});
