import { expect, test } from "vitest";
import type { PlannedFault } from "../fault/index.ts";
import type { Manifest, Operation } from "../history/index.ts";
import { CoverageCounter } from "./coverage.ts";
import type { CountedExamination } from "./coverage.ts";

const object: Manifest = { apiVersion: "a.dev/v1", kind: "Note", metadata: { name: "a" } };
const change = (path: string): Operation => ({ do: "change", object, how: "changed", path, afterMs: 0 });
const outage: PlannedFault = { at: 0, kind: "outage", ms: 500 };
const crash: PlannedFault = { at: 1, kind: "crash", nth: 9, downMs: 0 };

function examination(run: Partial<CountedExamination["run"]>): CountedExamination {
  const history = { operations: [change("spec.ports[0].name"), change("spec.size")] };
  return {
    case: { history },
    run: { covered: new Set(), fired: [], phaseFaults: new Set(), refused: new Map(), ...run },
  };
}

const COVERABLE = {
  phases: ["note Write do", "note Write cleanup"],
  fields: ["Note spec.ports[].name", "Note spec.size"],
  faults: ["crash", "outage", "watch cut"],
};

test("faults count if they have occurred, and fields if the server accepted a change", () => {
  const counter = new CoverageCounter();
  counter.add(examination({ covered: new Set(["note Write do"]), fired: [outage], refused: new Map([[1, ""]]) }));
  const coverage = counter.coverage(COVERABLE);
  expect(coverage.faults).toEqual({ crash: 0, outage: 1, "watch cut": 0 });
  expect(coverage.fields).toEqual({ covered: ["Note spec.ports[].name"], missing: ["Note spec.size"] });
});

test("combinations of phases and faults are a share of all phases and all faults", () => {
  const counter = new CoverageCounter();
  expect(counter.coverage(COVERABLE).phaseFaults).toEqual({ covered: 0, total: 6 });
  counter.add(
    examination({ fired: [outage, crash], phaseFaults: new Set(["note Write do crash", "other Write do crash"]) }),
  );
  counter.add(examination({ fired: [outage], phaseFaults: new Set(["note Write do crash", "note Write do outage"]) }));
  const merged = new CoverageCounter();
  merged.merge(counter.toJSON());
  expect(merged.coverage(COVERABLE).phaseFaults).toEqual({ covered: 2, total: 6 });
});
