import type { RunJson } from "@levelset/operator/internal";
import { describe, expect, test } from "vitest";
import { traceText } from "./trace-text.ts";

const run: RunJson = {
  apiVersion: "v1",
  kind: "Shop",
  name: "a",
  controller: "shop",
  number: 18,
  reasons: ["deployment/shop changed (owner)", "spec.image changed (kubectl-edit)"],
  // Without a time zone: local time.
  startedAt: "2026-01-01T12:04:31.207",
  waitedMs: 3,
  durationMs: 9,
  writes: 1,
  result: "wait",
  message: "not yet",
  steps: [
    { step: "Config", condition: "Config", phase: "do", result: "ok", durationMs: 0 },
    { step: "Deployment", condition: "Web", phase: "do", result: "wait", message: "not\nyet", durationMs: 6 },
    { step: "Config", condition: "Config", phase: "post", result: "ok", durationMs: 0 },
  ],
};

describe("a run as text", () => {
  test("shows time, triggers, step results and writes", () => {
    expect(traceText(run, { colors: false })).toBe(
      [
        "run 18  12:04:31.207  because deployment/shop changed (owner), spec.image changed (kubectl-edit) · waited 3 ms · 9 ms",
        "        Config ok  Deployment wait 6 ms  Config post ok  → 1 write",
        "          Deployment: not yet",
        "",
      ].join("\n"),
    );
  });

  test("shows the error of a run whose steps succeeded", () => {
    const steps = run.steps.filter(({ result }) => result === "ok");
    const refused = {
      ...run,
      steps,
      result: "fail" as const,
      message: "the server rejected the status: too long",
      writes: 0,
    };
    expect(traceText(refused, { colors: false })).toMatch(
      /\n {8}Config ok {2}Config post ok {2}→ nothing written\n {10}fail: the server rejected the status: too long\n$/u,
    );
  });

  test("shows the result of a run without steps", () => {
    expect(traceText({ ...run, number: 2, steps: [], result: "gone", writes: 0 }, { colors: false })).toMatch(
      /^run 2 {3}12:04:31\.207 .*\n {8}gone {2}→ nothing written\n$/u,
    );
  });
});
