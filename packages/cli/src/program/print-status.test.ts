import type { Condition, ObjectWithConditions } from "@levelset/core";
import { expect, test } from "vitest";
import { describeObject } from "./print-status.ts";

const condition = (type: string, status: Condition["status"], message = ""): Condition => ({
  type,
  status,
  reason: "R",
  message,
  lastTransitionTime: "2026-01-01T00:00:00Z",
});

function object(generation: number, conditions: readonly Condition[]): ObjectWithConditions {
  const metadata = { name: "shop", uid: "u", resourceVersion: "1", generation };
  return { apiVersion: "v1", kind: "Shop", metadata, status: { observedGeneration: 2, conditions } };
}

test("an object without a status is Unknown until a controller observes it, except the revision of an Operand", () => {
  const metadata = { name: "shop-1", uid: "u", resourceVersion: "1", generation: 1 };
  const line = (group: string, kind: string): string =>
    describeObject({ apiVersion: `${group}/v1alpha1`, kind, metadata });
  expect(line("x.dev", "OperandRevision")).toBe("? Unknown   generation 1 is not observed yet");
  expect(line("operand.levelset.dev", "OperandRevision")).toBe("✓ Ready   generation 1");
});

test("a line shows the state, and a repeated message only once", () => {
  const all = [condition("Ready", "True"), condition("Config", "True")];
  expect(describeObject(object(2, all))).toBe("✓ Ready   generation 2   Ready ✓   Config ✓");
  expect(describeObject(object(3, all))).toBe("… Progressing   observed generation 2 of 3");
  const some = [
    condition("Ready", "False", "no pods"),
    condition("Config", "True"),
    condition("Pods", "False", "no pods"),
    condition("Route", "Unknown", "waiting for Pods"),
    condition("Disk", "False", "nearly full"),
  ];
  expect(describeObject(object(2, some))).toBe(
    "… Progressing   generation 2   Ready False R: no pods   Config ✓   Pods ✗   Route …   Disk False R: nearly full",
  );
});

test.each([
  ["Error", "✗ Failed"],
  ["Warning", "✗ Degraded"],
  ["Info", "… Progressing"],
] as const)("a Ready condition with severity %s is shown as %s", (severity, expected) => {
  const ready = { ...condition("Ready", "False", "no pods"), severity, observedGeneration: 2 };
  expect(describeObject(object(2, [ready]))).toBe(`${expected}   generation 2   Ready False/${severity} R: no pods`);
});

test("an object in deletion is Deleting, and one with the annotation is Paused", () => {
  const ready = object(2, [condition("Ready", "True")]);
  const withMetadata = (metadata: object): ObjectWithConditions => ({
    ...ready,
    metadata: { ...ready.metadata, ...metadata },
  });
  const deleting = withMetadata({ deletionTimestamp: "2026-01-01T00:00:00Z" });
  expect(describeObject(deleting)).toBe("… Deleting   generation 2   Ready ✓");
  const paused = withMetadata({ annotations: { "levelset.dev/paused": "true" } });
  expect(describeObject(paused)).toBe("… Paused   generation 2   Ready ✓");
});
