import { expect, test } from "vitest";
import { coverageDelta, NO_COVERAGE } from "./coverage-delta.ts";
import { progressText } from "./simulation-progress.ts";
import { printable, summaryText, warnings } from "./simulation-text.ts";
import type { SimulationSummary } from "./simulation-summary.ts";

const summary: SimulationSummary = {
  histories: 40,
  worlds: 120,
  failures: [],
  coverage: {
    phases: { covered: ["note Write do"], missing: ["note Write cleanup"] },
    fields: { covered: [], missing: ["a", "b", "c", "d", "e", "f", "g"] },
    faults: { crash: 2, "write Conflict": 0, outage: 7 },
    operations: {},
    phaseFaults: { covered: 3, total: 4 },
  },
  neverReady: ["Note"],
  network: ["api.example.com"],
  isShared: true,
};

test("the summary shows the coverage and at most five missing names", () => {
  expect(summaryText(summary, 2_000)).toBe(
    [
      "40 histories in 120 worlds, no failure, 20/s",
      "",
      "Covered:",
      "  phases           1/2, missing: note Write cleanup",
      "  fields           0/7, missing: a, b, c, d, e and 2 more",
      "  faults           2/3, missing: write Conflict",
      "  phases × faults  3/4",
      "  operations       none",
      "",
    ].join("\n"),
  );
});

test("a simulation in which no step ran warns", () => {
  const coverage = { ...summary.coverage, phases: { covered: [], missing: ["note Write do"] } };
  expect(warnings({ ...summary, coverage })).toContain(
    "no step ran in any history: pass samples that the operator reconciles",
  );
});

test("a simulation without a finished history warns", () => {
  expect(warnings({ ...summary, histories: 0 })).toContain(
    "no history has finished: raise the time limit, or look for a step that never returns",
  );
});

test("warnings name what weakens the simulation", () => {
  expect(warnings(summary)).toEqual([
    "no sample of Note became Ready: most rules need one; pass --samples",
    "the operator tried to reach api.example.com: a simulation has no network; pass a double, see the guide",
    "a module uses top-level await: module state survives simulated restarts, and such bugs are not found",
  ]);
});

test("progress estimates the time that is left", () => {
  expect(progressText({ finished: 400, total: 1_000, failures: 0, elapsedMs: 10_000 })).toBe(
    "400 of 1000 histories, 40/s, about 15 s left, no failure",
  );
  expect(progressText({ finished: 0, total: 10, failures: 1, elapsedMs: 0 })).toBe(
    "0 of 10 histories, 0.0/s, 1 failure",
  );
});

test("texts of specs cannot control the terminal, and do not depend on the characters that Node knows", () => {
  expect(printable("a\u001B[2Jb\u202Ec\n  日é")).toBe("a [2Jb c\n  日é");
  expect(printable("\u{E0080}\uD800")).toBe("\u{E0080} ");
});

test("the coverage of a seed is what the counter has more than before", () => {
  const later = { ...NO_COVERAGE, phases: ["a", "b"], faults: [["crash", 3]], operations: [["create", 2]] } as const;
  const earlier = { ...NO_COVERAGE, phases: ["a"], faults: [["crash", 1]], operations: [["create", 2]] } as const;
  expect(coverageDelta(earlier, later)).toEqual({
    ...NO_COVERAGE,
    phases: ["b"],
    faults: [["crash", 2]],
    operations: [],
  });
});
