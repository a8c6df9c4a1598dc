import type { KubeObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { HealthRules } from "./health-rules.ts";

type Spec = Parameters<typeof HealthRules.compile>[0];

function evaluate(spec: Partial<Spec> = {}): HealthRules {
  const health = HealthRules.compile({ health: [], ...spec });
  if ("problem" in health) throw new Error(health.problem);
  return health;
}

function object(apiVersion: string, kind: string, fields: object = {}, generation = 1): KubeObject {
  const metadata = { name: "x", uid: "u", resourceVersion: "1", generation };
  return { apiVersion, kind, metadata, ...fields };
}

const widget = (status: object, generation = 1): KubeObject =>
  object("example.com/v1", "Widget", { status }, generation);
const rule = { group: "example.com", kind: "Widget", ready: "self.status.phase == 'Up'" };

describe("health", () => {
  test("is checked for objects of the gate, for CRDs always, for other objects only with a rule", () => {
    const deployment = object("apps/v1", "Deployment", { spec: { replicas: 1 }, status: { observedGeneration: 1 } });
    expect(evaluate().evaluate(deployment, 0, true).kind).toBe("progressing");
    expect(evaluate().evaluate(deployment, 0, false).kind).toBe("ready");
    const crd = object("apiextensions.k8s.io/v1", "CustomResourceDefinition", { status: { conditions: [] } });
    expect(evaluate().evaluate(crd, 0, false).kind).toBe("progressing");
    expect(evaluate().evaluate(widget({ phase: "Down" }), 0, false).kind).toBe("ready");
    expect(evaluate({ health: [rule] }).evaluate(widget({ phase: "Down" }), 0, false).kind).toBe("progressing");
    const conditions = [{ type: "Ready", status: "False" }];
    expect(evaluate().evaluate(widget({ conditions }), 0, true).kind).toBe("progressing");
    expect(evaluate().evaluate(widget({ conditions }), 0, false).kind).toBe("ready");
  });

  test("by expression is ready when it is true, and progressing while a field is missing", () => {
    const health = evaluate({ health: [rule] });
    expect(health.evaluate(widget({ phase: "Up" }), 0, false).kind).toBe("ready");
    expect(health.evaluate(widget({ phase: "Down" }), 0, false)).toMatchObject({
      kind: "progressing",
      message: `not ready yet: ${rule.ready}`,
    });
    expect(health.evaluate(widget({}), 0, false)).toMatchObject({ kind: "progressing" });
  });

  test("by expression ignores a status of another generation", () => {
    const health = evaluate({ health: [rule] });
    expect(health.evaluate(widget({ phase: "Up", observedGeneration: 1 }, 2), 0, false).kind).toBe("progressing");
    expect(health.evaluate(widget({ phase: "Up", observedGeneration: 2 }, 2), 0, false).kind).toBe("ready");
    expect(health.evaluate(widget({ phase: "Up", observedGeneration: 3 }, 2), 0, false)).toEqual({
      kind: "progressing",
      message: "the status is about generation 3, ahead of generation 2",
    });
    const conditions = [{ type: "Ready", status: "True", observedGeneration: 1 }];
    expect(health.evaluate(widget({ phase: "Up", conditions }, 2), 0, false).kind).toBe("progressing");
  });

  test("does not fail by an expression on a status of another generation", () => {
    const health = evaluate({ health: [{ ...rule, failed: "self.status.phase == 'Broken'", timeout: "90s" }] });
    const broken = (observedGeneration: number): string =>
      health.evaluate(widget({ phase: "Broken", observedGeneration }, 2), 0, false).kind;
    expect([1, 2, 3].map(broken)).toEqual(["progressing", "failed", "progressing"]);
    expect(health.evaluate(widget({ phase: "Broken", observedGeneration: 1 }, 2), 90_001, false)).toMatchObject({
      kind: "failed",
      reason: "Timeout",
    });
  });

  test("by expression can use isCurrent and the kstatus readiness", () => {
    const ready = "isCurrent(self) && readiness(self) == 'Ready'";
    const health = evaluate({ health: [{ ...rule, ready }] });
    const conditions = [{ type: "Ready", status: "True" }];
    expect(health.evaluate(widget({ conditions, observedGeneration: 2 }, 2), 0, false).kind).toBe("ready");
    expect(health.evaluate(widget({ conditions }, 2), 0, false).kind).toBe("progressing");
    expect(health.evaluate(widget({ conditions: [], observedGeneration: 2 }, 2), 0, false).kind).toBe("ready");
  });

  test("fails by expression or timeout, and ready takes precedence over both", () => {
    const health = evaluate({ health: [{ ...rule, failed: "self.status.phase == 'Broken'", timeout: "90s" }] });
    expect(health.evaluate(widget({ phase: "Broken" }), 0, false)).toMatchObject({
      kind: "failed",
      reason: "RuleFailed",
    });
    expect(health.evaluate(widget({ phase: "Down" }), 90_000, false).kind).toBe("progressing");
    expect(health.evaluate(widget({ phase: "Down" }), 90_001, false)).toMatchObject({
      kind: "failed",
      reason: "Timeout",
    });
    expect(health.evaluate(widget({ phase: "Up" }), 1_000_000, false).kind).toBe("ready");
    expect(health.remainingMs(widget({}), 60_000)).toBe(30_000);
    expect(health.remainingMs(widget({}), 100_000)).toBe(0);
    expect(health.remainingMs(object("v1", "ConfigMap"), 0)).toBeUndefined();
  });

  test("without an expression follows kstatus", () => {
    const health = evaluate({ health: [{ group: "", kind: "PersistentVolumeClaim" }] });
    expect(
      health.evaluate(object("v1", "PersistentVolumeClaim", { status: { phase: "Pending" } }), 0, false).kind,
    ).toBe("progressing");
    expect(health.evaluate(object("v1", "PersistentVolumeClaim", { status: { phase: "Bound" } }), 0, false).kind).toBe(
      "ready",
    );
  });

  test.each([
    ["self.status.", /^health\[0\]: self\.status\./u],
    ["'Up'", /^health\[0\]: 'Up': must evaluate to true or false/u],
    ["undeclared == 1", /^health\[0\]: undeclared == 1/u],
  ])("rejects the expression %s with its location", (ready, problem) => {
    const health = HealthRules.compile({ health: [{ ...rule, ready }] });
    expect("problem" in health ? health.problem : "").toMatch(problem);
  });
});
