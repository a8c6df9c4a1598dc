import type { InspectedItem } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { Frame } from "../frame.ts";
import { headline, statusText } from "./status-text.ts";
import type { OperandView } from "./status-text.ts";

function item(kind: string, name: string, rest: Partial<InspectedItem> = {}): InspectedItem {
  const ref = { group: "", kind, namespace: "shop", name };
  return { ref, state: "applied", readiness: { kind: "ready", message: "" }, ...rest };
}

const waiting = (message: string): Partial<InspectedItem> => ({
  readiness: { kind: "progressing", message },
  message,
});

function view(items: readonly InspectedItem[], status: object, pruned = 0, dropped = 0): OperandView {
  const metadata = { name: "shop", uid: "u", resourceVersion: "1", generation: 12 };
  // Only what is printed; the rest of an Operand does not matter here.
  const operand = {
    metadata,
    spec: {},
    status: { observedGeneration: 12, ...status },
  } as unknown as OperandView["operand"];
  return { operand, inspection: { kind: "set", items, pruned, dropped } };
}

const READY = { phase: "Ready", conditions: [{ type: "Ready", status: "True", observedGeneration: 12 }] };

const INSTALLING = view(
  [
    item("ConfigMap", "a"),
    item("Deployment", "web", waiting("1 of 3 updated replicas available")),
    item("Service", "b", { state: "missing", ...waiting("not there yet") }),
    item("Job", "c", {
      state: "differs",
      readiness: { kind: "failed", reason: "X", message: "boom" },
      message: "boom",
    }),
  ],
  { phase: "Installing" },
);

describe("the status of an Operand", () => {
  test("is one line without bars where there is no terminal", () => {
    expect(headline(INSTALLING, { colors: false, all: false })).toBe(
      "shop  generation 12  Installing  applied 2/4  ready 1/4  waiting: Deployment shop/web 1 of 3 updated replicas available",
    );
  });

  test("has bars on a terminal, and no line that is too long for it", () => {
    const options = { colors: false, columns: 110, all: false };
    expect(headline(INSTALLING, options)).toBe(
      "shop  generation 12  Installing  applied ███████░░░░░░░░ 2/4  ready ███░░░░░░░░░░░░ 1/4  waiting: Deployment …",
    );
    for (const columns of [1, 20, 40, 80]) {
      const lines = statusText(INSTALLING, { ...options, columns }).split("\n");
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
    }
  });

  test("lists what is not as it should be and why, and the rest if asked for", () => {
    expect(statusText(INSTALLING, { colors: false, all: false }).split("\n").slice(1)).toEqual([
      "  … Deployment  shop/web  applied        1 of 3 updated replicas available",
      "  … Service     shop/b    missing        not there yet",
      "  ✗ Job         shop/c    to be changed  boom",
      "  … and 1 ready",
      "",
    ]);
    expect(statusText(INSTALLING, { colors: false, all: true })).toContain(
      "  ✓ ConfigMap   shop/a    applied        ready\n",
    );
  });

  test("counts what was pruned if anything was, and says what waits for a word", () => {
    const done = view([item("A", "a")], READY, 3, 3);
    expect(headline(done, { colors: false, all: false })).toBe(
      "shop  generation 12  Ready  applied 1/1  ready 1/1  pruned 3/3",
    );
    const pending = [
      { group: "", kind: "Service", namespace: "shop", name: "old", reason: "Confirm" },
      { group: "", kind: "ConfigMap", namespace: "shop", name: "x", reason: "Deferred", due: "2026-01-01T00:00:00Z" },
    ];
    expect(statusText(view([item("A", "a")], { ...READY, pending }, 1, 2), { colors: false, all: false })).toBe(
      [
        "shop  generation 12  Ready  applied 1/1  ready 1/1  pruned 1/2",
        "  - Service shop/old  waits for: levelset operand confirm shop",
        "  - ConfigMap shop/x  goes at 2026-01-01T00:00:00Z",
        "",
      ].join("\n"),
    );
  });

  test("of another generation says nothing about this one", () => {
    const old = view([], { observedGeneration: 11, phase: "Ready" });
    expect(statusText(old, { colors: false, all: false })).toBe(
      "shop  generation 12  not seen yet  applied 0/0  ready 0/0\n  nobody has looked at this generation yet: is levelset operand run at work?\n",
    );
  });

  test("is not called Ready before the first pass over a new generation, and shows no run that is under way as a cause", () => {
    const conditions = [
      { type: "Ready", status: "Unknown", reason: "Incomplete", message: "The last run did not complete" },
    ];
    expect(headline(view([item("A", "a")], { phase: "Ready", conditions }), { colors: false, all: false })).toBe(
      "shop  generation 12  Installing  applied 1/1  ready 1/1",
    );
  });

  test("of a set that cannot be understood lists why", () => {
    const invalid: OperandView = { ...INSTALLING, inspection: { kind: "invalid", problems: ["steadyState[0]: bad"] } };
    expect(statusText(invalid, { colors: false, all: false })).toContain("  ✗ steadyState[0]: bad\n");
  });
});

test("a frame is drawn over the one before", () => {
  let written = "";
  const frame = new Frame((text) => (written += text));
  frame.draw("a\nb\n");
  frame.draw("c\n");
  expect(written).toBe("a\nb\n\u001B[2A\u001B[0Jc\n");
});
