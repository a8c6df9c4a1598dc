import type { KubeObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { Health } from "./health.ts";

type Spec = Parameters<typeof Health.of>[0];

function judge(spec: Partial<Spec> = {}): Health {
  const health = Health.of({ checkDeploymentHealth: true, health: [], ...spec });
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
  test("of Deployments counts if asked for, of CRDs always, of anything else never without a rule", () => {
    const deployment = object("apps/v1", "Deployment", { spec: { replicas: 1 }, status: { observedGeneration: 1 } });
    expect(judge().of(deployment, 0).kind).toBe("progressing");
    expect(judge({ checkDeploymentHealth: false }).of(deployment, 0).kind).toBe("ready");
    const crd = object("apiextensions.k8s.io/v1", "CustomResourceDefinition", { status: { conditions: [] } });
    expect(judge({ checkDeploymentHealth: false }).of(crd, 0).kind).toBe("progressing");
    expect(judge().of(object("v1", "ConfigMap"), 0).kind).toBe("ready");
    expect(judge().of(widget({ phase: "Down" }), 0).kind).toBe("ready");
  });

  test("by an expression is ready when that is true, and not while a field is missing", () => {
    const health = judge({ health: [rule] });
    expect(health.of(widget({ phase: "Up" }), 0).kind).toBe("ready");
    expect(health.of(widget({ phase: "Down" }), 0)).toMatchObject({
      kind: "progressing",
      message: `not yet: ${rule.ready}`,
    });
    expect(health.of(widget({}), 0)).toMatchObject({ kind: "progressing" });
  });

  test("by an expression counts only if the status speaks of this generation", () => {
    const health = judge({ health: [rule] });
    expect(health.of(widget({ phase: "Up", observedGeneration: 1 }, 2), 0).kind).toBe("progressing");
    expect(health.of(widget({ phase: "Up", observedGeneration: 2 }, 2), 0).kind).toBe("ready");
    expect(health.of(widget({ phase: "Up", observedGeneration: 3 }, 2), 0)).toEqual({
      kind: "progressing",
      message: "the status is about generation 3, ahead of generation 2",
    });
    const conditions = [{ type: "Ready", status: "True", observedGeneration: 1 }];
    expect(health.of(widget({ phase: "Up", conditions }, 2), 0).kind).toBe("progressing");
  });

  test("does not fail by an expression about a status of another generation", () => {
    const health = judge({ health: [{ ...rule, failed: "self.status.phase == 'Broken'", timeout: "90s" }] });
    const broken = (observedGeneration: number): string =>
      health.of(widget({ phase: "Broken", observedGeneration }, 2), 0).kind;
    expect([1, 2, 3].map(broken)).toEqual(["progressing", "failed", "progressing"]);
    expect(health.of(widget({ phase: "Broken", observedGeneration: 1 }, 2), 90_001)).toMatchObject({
      kind: "failed",
      reason: "Timeout",
    });
  });

  test("by an expression may ask whether the status is current, and what kstatus says", () => {
    const ready = "isCurrent(self) && readiness(self) == 'Ready'";
    const health = judge({ health: [{ ...rule, ready }] });
    const conditions = [{ type: "Ready", status: "True" }];
    expect(health.of(widget({ conditions, observedGeneration: 2 }, 2), 0).kind).toBe("ready");
    expect(health.of(widget({ conditions }, 2), 0).kind).toBe("progressing");
    expect(health.of(widget({ conditions: [], observedGeneration: 2 }, 2), 0).kind).toBe("ready");
  });

  test("fails by its own expression, or by time, and ready wins over both", () => {
    const health = judge({ health: [{ ...rule, failed: "self.status.phase == 'Broken'", timeout: "90s" }] });
    expect(health.of(widget({ phase: "Broken" }), 0)).toMatchObject({ kind: "failed", reason: "RuleFailed" });
    expect(health.of(widget({ phase: "Down" }), 90_000).kind).toBe("progressing");
    expect(health.of(widget({ phase: "Down" }), 90_001)).toMatchObject({ kind: "failed", reason: "Timeout" });
    expect(health.of(widget({ phase: "Up" }), 1_000_000).kind).toBe("ready");
    expect(health.leftMs(widget({}), 60_000)).toBe(30_000);
    expect(health.leftMs(widget({}), 100_000)).toBe(0);
    expect(health.leftMs(object("v1", "ConfigMap"), 0)).toBeUndefined();
  });

  test("without an expression is what Kubernetes itself says of the kind", () => {
    const health = judge({ health: [{ group: "", kind: "PersistentVolumeClaim" }] });
    expect(health.of(object("v1", "PersistentVolumeClaim", { status: { phase: "Pending" } }), 0).kind).toBe(
      "progressing",
    );
    expect(health.of(object("v1", "PersistentVolumeClaim", { status: { phase: "Bound" } }), 0).kind).toBe("ready");
  });

  test.each([
    ["self.status.", /^health\[0\]: self\.status\./u],
    ["'Up'", /^health\[0\]: 'Up': must say true or false/u],
    ["nobody == 1", /^health\[0\]: nobody == 1/u],
  ])("by %s cannot be judged, which is told by place", (ready, problem) => {
    const health = Health.of({ checkDeploymentHealth: true, health: [{ ...rule, ready }] });
    expect("problem" in health ? health.problem : "").toMatch(problem);
  });
});
