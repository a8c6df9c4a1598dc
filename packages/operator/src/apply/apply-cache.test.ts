import type { KubeObject } from "@levelset/core";
import { expect, test } from "vitest";
import { ApplyCache } from "./apply-cache.ts";

function child(uid: string, rest: Readonly<Record<string, unknown>> = {}, resourceVersion = "1"): KubeObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name: "a", uid, resourceVersion }, ...rest };
}

test("an applied child is cached until it or its manifest changes, except for its status", () => {
  const settled = new ApplyCache(10);
  settled.add(child("u", { spec: { cpu: "1" } }), { cpu: 1 });
  expect(settled.has(child("u", { spec: { cpu: "1" } }), { cpu: 1 })).toBe(true);
  expect(settled.has(child("u", { spec: { cpu: "1" }, status: { ready: 1 } }, "2"), { cpu: 1 })).toBe(true);
  expect(settled.has(child("u", { spec: { cpu: "2" } }), { cpu: 1 })).toBe(false);
  expect(settled.has(child("u", { spec: { cpu: "1" } }), { cpu: 2 })).toBe(false);
  expect(settled.has(child("v", { spec: { cpu: "1" } }), { cpu: 1 })).toBe(false);
});

test("the least recently applied child is evicted first", () => {
  const settled = new ApplyCache(2);
  for (const uid of ["a", "b", "a", "c"]) settled.add(child(uid), {});
  expect(["a", "b", "c"].map((uid) => settled.has(child(uid), {}))).toEqual([true, false, true]);
});
