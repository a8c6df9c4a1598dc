import { isReady, kind, s, ValidatingAdmissionPolicy } from "@levelset/core";
import type { ConditionStatus, Severity } from "@levelset/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluate } from "./wait-progress.ts";

const Widget = kind({ group: "test.levelset.dev", version: "v1", kind: "Widget", spec: s.object({}) });

const generation = fc.integer({ min: 1, max: 4 });
const condition = fc.record(
  {
    type: fc.constantFrom("Ready", "Available", "Stalled", "Reconciling", "Other"),
    status: fc.constantFrom<ConditionStatus>("True", "False", "Unknown"),
    severity: fc.constantFrom<Severity>("Error", "Warning", "Info"),
    reason: fc.constantFrom("", "Busy"),
    message: fc.constantFrom("", "is busy"),
    lastTransitionTime: fc.constant("2026-01-01T00:00:00Z"),
    observedGeneration: generation,
  },
  { requiredKeys: ["type", "status", "reason", "message", "lastTransitionTime"] },
);
const status = fc.record(
  {
    observedGeneration: generation,
    conditions: fc.uniqueArray(condition, { selector: ({ type }) => type, maxLength: 4 }),
  },
  { requiredKeys: [] },
);
const widget = fc.record({ of: generation, status: fc.option(status, { nil: undefined }) }).map((drawn) => ({
  apiVersion: "test.levelset.dev/v1",
  kind: "Widget",
  metadata: { name: "a", uid: "u", resourceVersion: "1", generation: drawn.of },
  ...(drawn.status === undefined ? {} : { status: drawn.status }),
}));
const seen = <O>(object: O): { object: O; deleted: undefined; isDeleted: false } => ({
  object,
  deleted: undefined,
  isDeleted: false,
});

describe("the evaluation of an object", () => {
  test("treats a declared kind as ready only if its status is for the latest generation, and that is recent enough", () => {
    fc.assert(
      fc.property(widget, fc.option(generation, { nil: undefined }), (object, least) => {
        const verdict = evaluate(seen(object), Widget, { goal: "ready", generation: least });
        if (verdict.kind !== "reached") return;
        expect(isReady(object)).toBe(true);
        expect(object.metadata.generation).toBeGreaterThanOrEqual(least ?? 0);
      }),
    );
  });

  test("treats an object that isReady accepts as ready, unless Stalled or Reconciling is True", () => {
    fc.assert(
      fc.property(widget, (object) => {
        const isBusy = object.status?.conditions?.some(
          ({ type, status: value }) => (type === "Stalled" || type === "Reconciling") && value === "True",
        );
        fc.pre(isReady(object) && isBusy !== true);
        expect(evaluate(seen(object), Widget, { goal: "ready", generation: undefined }).kind).toBe("reached");
      }),
    );
  });

  test("ignores a failure of another generation", () => {
    fc.assert(
      fc.property(widget, (object) => {
        const { kind: verdict, progress } = evaluate(seen(object), Widget, { goal: "ready", generation: undefined });
        if (verdict !== "failed") return;
        expect([object.metadata.generation, undefined]).toContain(progress.observedGeneration);
      }),
    );
  });

  test("names the state, its generations and its reason", () => {
    const conditions = [
      { type: "Ready", status: "False", severity: "Warning", reason: "NoQuota", message: "no quota left" },
    ];
    const metadata = { name: "a", uid: "u", resourceVersion: "1", generation: 2 };
    const object = {
      apiVersion: "test.levelset.dev/v1",
      kind: "Widget",
      metadata,
      status: { observedGeneration: 2, conditions },
    };
    expect(evaluate(seen(object), Widget, { goal: "ready", generation: undefined })).toEqual({
      kind: "waiting",
      progress: {
        object,
        generation: 2,
        observedGeneration: 2,
        state: "Degraded",
        reason: "NoQuota",
        message: "no quota left",
      },
    });
  });

  test("treats a built-in kind of a k8s.io group as ready without its observed generation", () => {
    const metadata = { name: "a", uid: "u", resourceVersion: "1", generation: 1 };
    const object = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata,
      status: {},
    };
    expect(evaluate(seen(object), ValidatingAdmissionPolicy, { goal: "ready", generation: undefined }).kind).toBe(
      "reached",
    );
  });

  test("ignores malformed conditions", () => {
    const metadata = { name: "a", uid: "u", resourceVersion: "1", generation: 1 };
    for (const conditions of [7, [null, "x", { type: 3 }], {}]) {
      const object = { apiVersion: "other.example.com/v1", kind: "Other", metadata, status: { conditions } };
      for (const goal of ["ready", "available", "deleted"] as const) {
        expect(() =>
          evaluate(seen(object), { hasStatus: true, schema: {} }, { goal, generation: undefined }),
        ).not.toThrow();
      }
    }
  });
});
