import type { Case } from "@levelset/simulation";
import { expect, test } from "vitest";
import { resultJson } from "./simulate-command.ts";
import type { SimulatedFile } from "./simulate-file.ts";
import type { SeedFailure } from "./worker-message.ts";

const violation = { rule: "hot-loop", message: "It loops.", expected: "It rests." } as const;

function caseWith(url: string): Case {
  const target = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "a" };
  const edit = {
    do: "edit-child",
    pick: 0,
    edit: "change-field",
    target,
    patch: { data: { url } },
    afterMs: 0,
  } as const;
  return { seed: 7, faults: [], history: { operations: [edit] } };
}

function resultOf(failure: SeedFailure): SimulatedFile {
  return {
    histories: 1,
    worlds: 2,
    failures: [failure],
    coverage: {
      phases: { covered: [], missing: [] },
      fields: { covered: [], missing: [] },
      faults: {},
      operations: {},
      phaseFaults: { covered: 0, total: 0 },
    },
    neverReady: [],
    network: [],
    isShared: false,
    inputs: { samples: [], ignore: [] },
    elapsedMs: 1,
    end: undefined,
  };
}

test("the result as JSON has the case without the values of Secrets", () => {
  const failure: SeedFailure = {
    kind: "case",
    seed: 7,
    violation,
    case: caseWith("postgres://hunter2"),
    shownCase: caseWith("postgres://***"),
    events: [],
    drawn: { operations: 1, faults: 0 },
  };
  const result = resultJson(resultOf(failure), [{ failure, story: "seed-7.json", command: "levelset simulate" }]);
  expect(JSON.stringify(result)).not.toContain("hunter2");
  const { kind: _k, shownCase, ...fields } = failure;
  const story = { ...fields, case: shownCase, command: "levelset simulate", story: "seed-7.json" };
  expect(result).toMatchObject({ failures: [story] });
});

test("the result as JSON has the output of a process that ended", () => {
  const failure: SeedFailure = { kind: "process", seed: 7, violation, output: "out of memory" };
  const result = resultJson(resultOf(failure), [{ failure, story: undefined, command: "levelset simulate" }]);
  expect(result).toMatchObject({
    failures: [{ seed: 7, violation, output: "out of memory", command: "levelset simulate" }],
  });
});
