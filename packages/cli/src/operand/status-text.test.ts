import { apiVersionOf } from "@levelset/core";
import { Operand } from "@levelset/operator";
import type { InspectedItem } from "@levelset/operator/internal";
import { describe, expect, test } from "vitest";
import { TerminalFrame } from "../terminal/terminal-frame.ts";
import { statusLine, statusText } from "./status-text.ts";
import type { OperandStatus } from "./status-text.ts";

function item(kind: string, name: string, rest: Partial<InspectedItem> = {}): InspectedItem {
  const ref = { group: "", kind, namespace: "shop", name };
  return { ref, state: "applied", readiness: { kind: "ready", message: "" }, ...rest };
}

const waiting = (message: string): Partial<InspectedItem> => ({
  readiness: { kind: "progressing", message },
  message,
});

function view(items: readonly InspectedItem[], status: object, pruned = 0, dropped = 0): OperandStatus {
  const metadata = { name: "shop", uid: "u", resourceVersion: "1", generation: 12 };
  // Only the printed fields.
  const operand = {
    apiVersion: apiVersionOf(Operand),
    kind: Operand.kind,
    metadata,
    spec: {},
    status: { observedGeneration: 12, ...status },
  } as unknown as OperandStatus["operand"];
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
  {
    phase: "Installing",
    conditions: [{ type: "Ready", status: "False", severity: "Info", reason: "Waiting", observedGeneration: 12 }],
  },
);

describe("the status of an Operand", () => {
  test("is one line without bars if stdout is not a terminal", () => {
    expect(statusLine(INSTALLING, { colors: false, all: false })).toBe(
      "shop  generation 12  Progressing  applied 2/4  ready 1/4  waiting: Deployment shop/web 1 of 3 updated replicas available",
    );
  });

  test("has bars on a terminal and fits its width", () => {
    const options = { colors: false, columns: 110, all: false };
    expect(statusLine(INSTALLING, options)).toBe(
      "shop  generation 12  Progressing  applied ███████░░░░░░░░ 2/4  ready ███░░░░░░░░░░░░ 1/4  waiting: Deployment…",
    );
    for (const columns of [1, 20, 40, 80]) {
      const lines = statusText(INSTALLING, { ...options, columns }).split("\n");
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
    }
  });

  test("lists objects that are not Ready with their messages; --all lists the others too", () => {
    expect(statusText(INSTALLING, { colors: false, all: false }).split("\n").slice(1)).toEqual([
      "  … Deployment  shop/web  applied        1 of 3 updated replicas available",
      "  … Service     shop/b    missing        not there yet",
      "  ✗ Job         shop/c    to be changed  boom",
      "  … and 1 Ready",
      "",
    ]);
    expect(statusText(INSTALLING, { colors: false, all: true })).toContain(
      "  ✓ ConfigMap   shop/a    applied        Ready\n",
    );
  });

  test("counts pruned objects, and lists pending ones", () => {
    const done = view([item("A", "a")], READY, 3, 3);
    expect(statusLine(done, { colors: false, all: false })).toBe(
      "shop  generation 12  Ready  applied 1/1  ready 1/1  pruned 3/3",
    );
    const pending = [
      { group: "", kind: "Service", namespace: "shop", name: "old", reason: "Confirm" },
      { group: "", kind: "ConfigMap", namespace: "shop", name: "x", reason: "Deferred", due: "2026-01-01T00:00:00Z" },
    ];
    expect(statusText(view([item("A", "a")], { ...READY, pending }, 1, 2), { colors: false, all: false })).toBe(
      [
        "shop  generation 12  Ready  applied 1/1  ready 1/1  pruned 1/2",
        "  - Service shop/old  pending: levelset operand confirm shop",
        "  - ConfigMap shop/x  pruned at 2026-01-01T00:00:00Z",
        "",
      ].join("\n"),
    );
  });

  test("of an older generation is Progressing", () => {
    const old = view([], { observedGeneration: 11, phase: "Ready" });
    expect(statusText(old, { colors: false, all: false })).toBe(
      "shop  generation 12  Progressing  applied 0/0  ready 0/0\n  not observed yet; check that levelset operand run is running\n",
    );
  });

  test("is Progressing until the first run of a new generation completes", () => {
    const conditions = [
      { type: "Ready", status: "Unknown", reason: "Incomplete", message: "The last run did not complete" },
    ];
    expect(statusLine(view([item("A", "a")], { phase: "Ready", conditions }), { colors: false, all: false })).toBe(
      "shop  generation 12  Progressing  applied 1/1  ready 1/1",
    );
  });

  test.each([
    [{ status: "False", severity: "Error" }, {}, "Failed"],
    [{ status: "False", severity: "Warning" }, {}, "Degraded"],
    [{ status: "False", severity: "Info" }, { spec: { suspend: true } }, "Paused"],
    [{ status: "True" }, { metadata: { annotations: { "levelset.dev/paused": "true" } } }, "Paused"],
    [{ status: "True" }, { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }, "Deleting"],
  ])("shows the state (%#)", (ready, { spec, metadata }: { spec?: object; metadata?: object }, state) => {
    const conditions = [{ type: "Ready", reason: "R", message: "m", observedGeneration: 12, ...ready }];
    const { operand, inspection } = view([], { conditions });
    const shown = { ...operand, spec: { ...operand.spec, ...spec }, metadata: { ...operand.metadata, ...metadata } };
    const line = statusLine({ operand: shown, inspection }, { colors: false, all: false });
    expect(line).toMatch(new RegExp(`^shop {2}generation 12 {2}${state} {2}`, "u"));
  });

  test("of an invalid Operand lists the problems", () => {
    const invalid: OperandStatus = {
      ...INSTALLING,
      inspection: { kind: "invalid", problems: ["steadyState[0]: bad"] },
    };
    expect(statusText(invalid, { colors: false, all: false })).toContain("  ✗ steadyState[0]: bad\n");
  });
});

test("a frame replaces the previous one", () => {
  let written = "";
  const frame = new TerminalFrame((text) => (written += text));
  frame.draw("a\nb\n");
  frame.draw("c\n");
  expect(written).toBe("a\nb\n\u001B[2A\u001B[0Jc\n");
});
