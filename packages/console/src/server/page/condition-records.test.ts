import type { RunJson, RunResult, StepJson } from "@levelset/operator/internal";
import { expect, test } from "vitest";
import { recordedChanges } from "./condition-records.ts";

function run(
  second: number,
  result: RunResult,
  steps: readonly (readonly [string, StepJson["result"]])[] = [],
): RunJson {
  return {
    controller: "simple",
    apiVersion: "v1",
    kind: "Simple",
    name: "a",
    number: second,
    reasons: [],
    startedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second, 300)).toISOString(),
    waitedMs: 0,
    durationMs: 1,
    writes: 1,
    result,
    ...(result === "ok" ? {} : { message: `${result} ${second}` }),
    steps: steps.map(([condition, each]) => ({
      step: `s-${condition}-${each}`,
      condition,
      phase: "do",
      result: each,
      durationMs: 1,
    })),
  };
}

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, "0")}Z`;

test("run records provide the states of a condition before its known state", () => {
  const runs = [run(1, "ok"), run(2, "ok"), run(4, "terminal"), run(6, "ok"), run(8, "fail"), run(9, "wait")];
  const reported = recordedChanges(runs, "Ready", [{ status: "False", since: at(8) }]);
  expect(reported.map(({ status, reason, message }) => [status, reason, message])).toEqual([
    ["ok", "run 6", ""],
    ["terminal", "run 4", "terminal 4"],
    ["ok", "run 1", ""],
  ]);
  const earlier = recordedChanges(runs.slice(0, 3), "Ready", [{ status: "False", since: at(5) }]);
  expect(earlier.map(({ reason }) => reason)).toEqual(["run 1"]);
  expect(recordedChanges([], "Ready", [{ status: "True", since: at(4) }])).toEqual([]);
});

test("states within one second are distinguished by their results", () => {
  const second = (ms: number, result: RunResult): RunJson => ({
    ...run(1, result),
    startedAt: new Date(Date.parse(at(1)) + ms).toISOString(),
  });
  const runs = [second(100, "ok"), second(200, "wait"), second(300, "fail")];
  const all = [
    { status: "True", since: at(1) },
    { status: "Unknown", since: at(1) },
    { status: "True", since: at(1) },
  ];
  expect(recordedChanges([second(50, "wait"), ...runs, second(400, "ok")], "Ready", all)).toMatchObject([
    { status: "wait" },
  ]);
  const reported = recordedChanges(runs, "Ready", [{ status: "False", since: at(1) }]);
  expect(reported.map(({ status }) => status)).toEqual(["ok"]);
});

test("a condition of several steps has the most severe result", () => {
  const runs = [
    run(1, "wait", [
      ["Input", "ok"],
      ["Input", "wait"],
    ]),
    run(3, "ok", [["Input", "ok"]]),
  ];
  expect(recordedChanges(runs, "Input", [{ status: "True", since: at(3) }]).map(({ status }) => status)).toEqual([
    "wait",
  ]);
  expect(recordedChanges(runs, "Other", [{ status: "True", since: at(3) }])).toEqual([]);
});
