import type { Condition, Conditioned } from "@levelset/core";
import { expect, test } from "vitest";
import { describeObject } from "./live.ts";

const condition = (type: string, status: Condition["status"], message = ""): Condition => ({
  type,
  status,
  reason: "R",
  message,
  lastTransitionTime: "2026-01-01T00:00:00Z",
});

function object(generation: number, conditions: readonly Condition[]): Conditioned {
  const metadata = { name: "shop", uid: "u", resourceVersion: "1", generation };
  return { apiVersion: "v1", kind: "Shop", metadata, status: { observedGeneration: 2, conditions } };
}

test("an object without a status is progressing until a controller observes it, unless it is a record of a revision", () => {
  const metadata = { name: "shop-1", uid: "u", resourceVersion: "1", generation: 1 };
  const line = (kind: string): string => describeObject({ apiVersion: "x.dev/v1", kind, metadata });
  expect(line("Shop")).toBe("… progressing   generation 1 is not observed yet");
  expect(line("ShopRevision")).toBe("✓ ready   generation 1");
});

test("a line says whether the latest spec is reached, and once why not", () => {
  const all = [condition("Ready", "True"), condition("Config", "True")];
  expect(describeObject(object(2, all))).toBe("✓ ready   generation 2   Ready ✓   Config ✓");
  expect(describeObject(object(3, all))).toBe("… progressing   observed generation 2 of 3");
  const some = [
    condition("Ready", "False", "no pods"),
    condition("Config", "True"),
    condition("Pods", "False", "no pods"),
    condition("Route", "Unknown", "waiting for Pods"),
    condition("Disk", "False", "nearly full"),
  ];
  expect(describeObject(object(2, some))).toBe(
    "✗ not ready   generation 2   Ready False R: no pods   Config ✓   Pods ✗   Route …   Disk False R: nearly full",
  );
});
