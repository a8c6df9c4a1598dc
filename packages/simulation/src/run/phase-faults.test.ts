import type { RunRecord } from "@levelset/operator";
import { expect, test } from "vitest";
import type { PlannedFault } from "../fault/index.ts";
import type { ObservedRun } from "../world/index.ts";
import { PhaseFaults } from "./phase-faults.ts";

const crash: PlannedFault = { at: 0, kind: "crash", nth: 1, downMs: 0 };

/** A cluster in which steps of an operator run and faults occur. */
function recorded(): {
  readonly counter: PhaseFaults;
  readonly run: (step: string) => void;
  readonly fail: () => void;
} {
  const runs: ObservedRun[] = [];
  const fired: PlannedFault[] = [];
  return {
    counter: new PhaseFaults({ runs, faults: { fired } }),
    run: (step) => {
      const report = { kind: "ran", steps: [{ step, phase: "do" }] };
      runs.push({ operator: "note", record: { report } as unknown as RunRecord }); // the parts that count
    },
    fail: () => void fired.push(crash),
  };
}

test("a fault counts with the phases of its operation and of the next one", () => {
  const { counter, run, fail } = recorded();
  counter.begin();
  run("Before");
  counter.begin();
  run("Same");
  fail();
  counter.begin();
  run("Next");
  counter.begin();
  run("Later");
  expect([...counter.pairs()]).toEqual(["note Same do crash", "note Next do crash"]);
});

test("a fault of before does not count with what runs after the cluster is at rest", () => {
  const { counter, run, fail } = recorded();
  counter.begin();
  fail();
  run("Recovers");
  counter.rest();
  counter.begin();
  run("Deletes");
  expect([...counter.pairs()]).toEqual(["note Recovers do crash"]);
});
