import { kind, s } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { drawHistory } from "./draw-history.ts";
import type { HistoryMaterial } from "./draw-history.ts";

const Thing = kind({
  group: "example.com",
  version: "v1",
  kind: "Thing",
  spec: s.object({ size: s.int32().min(0).max(5) }),
});
const root = {
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "a", namespace: "default" },
  spec: { size: 1 },
};
const input = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "s", namespace: "default" },
  stringData: { a: "1" },
};
const material: HistoryMaterial = {
  samples: [{ root, inputs: [input] }],
  kinds: [Thing],
  children: [],
  otherNamespace: "other",
  hasLongNames: true,
};

test("equal seeds give equal histories", () => {
  const property = fc.property(fc.integer(), (seed) => {
    expect(drawHistory(seededRandom(seed), material)).toEqual(drawHistory(seededRandom(seed), material));
  });
  fc.assert(property, { numRuns: 50 });
});

test("every history creates a custom resource and its inputs", () => {
  const property = fc.property(fc.integer(), (seed) => {
    const { operations } = drawHistory(seededRandom(seed), material);
    const created = operations.flatMap((each) => (each.do === "create" ? [each.object.kind] : []));
    expect(new Set(created)).toEqual(new Set(["Thing", "Secret"]));
  });
  fc.assert(property, { numRuns: 200 });
});

test("histories contain every kind of operation that the material allows", () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 300; seed++) {
    for (const each of drawHistory(seededRandom(seed * 7919), material).operations) kinds.add(each.do);
  }
  expect([...kinds].toSorted()).toEqual([
    "change",
    "create",
    "delete",
    "delete-child",
    "downtime",
    "edit-child",
    "lose-pods",
    "pass-time",
    "restart",
    "step-clock",
  ]);
});

test("the wall clock steps forward and back", () => {
  const steps = Array.from({ length: 2_000 }, (_, seed) => drawHistory(seededRandom(seed), material))
    .flatMap(({ operations }) => operations)
    .flatMap((each) => (each.do === "step-clock" ? [each.ms] : []));
  expect(new Set(steps)).toEqual(new Set([60_000, 86_400_000, -60_000, -3_600_000]));
});
