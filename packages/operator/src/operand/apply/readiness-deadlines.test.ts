import type { KubeObject } from "@levelset/core";
import { expect, test } from "vitest";
import type { ManifestItem } from "../spec/item.ts";
import type { ItemChange, ItemResult } from "./apply-outcome.ts";
import { ReadinessDeadlines } from "./readiness-deadlines.ts";

const NOW = Date.UTC(2026, 0, 1, 0, 0, 10, 500);
const SINCE = "2026-01-01T00:00:11Z";
const ALL = { hasTimeout: () => true };
const ref = { group: "", kind: "ConfigMap", namespace: "shop", name: "x" };

function object(uid = "u", generation?: number): KubeObject {
  const version = generation === undefined ? {} : { generation };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", uid, resourceVersion: "1", ...version } };
}

function evaluated(
  live: KubeObject,
  change: ItemChange = "none",
  kind: "ready" | "progressing" = "progressing",
): ItemResult {
  // Only the reference of an item matters here.
  const item = { ref } as unknown as ManifestItem;
  return { item, outcome: { kind: "applied", object: live, change }, readiness: { kind, message: "" } };
}

test("the wait for an object starts at the next full second", () => {
  const deadlines = new ReadinessDeadlines(undefined, NOW);
  expect(deadlines.waitedMs(ref, object())).toBe(0);
  expect(deadlines.nextWaitingSince([evaluated(object())], ALL)).toEqual([{ ...ref, uid: "u", since: SINCE }]);
});

test("the wait lasts until the object is ready, applied again or replaced", () => {
  const awaited = [{ ...ref, uid: "u", generation: 1, since: "2026-01-01T00:00:05Z" }];
  const deadlines = new ReadinessDeadlines({ awaited }, NOW);
  expect(deadlines.waitedMs(ref, object("u", 1))).toBe(5_500);
  expect(deadlines.nextWaitingSince([evaluated(object("u", 1))], ALL)).toEqual(awaited);
  expect(deadlines.nextWaitingSince([evaluated(object("u", 1), "drifted")], ALL)).toEqual(awaited);
  expect(deadlines.nextWaitingSince([evaluated(object("u", 1), "none", "ready")], ALL)).toBeUndefined();
  for (const [live, change] of [
    [object("u", 1), "changed"],
    [object("u", 2), "none"],
    [object("v", 1), "none"],
  ] as const) {
    expect(deadlines.waitedMs(ref, live, change)).toBe(0);
    expect(deadlines.nextWaitingSince([evaluated(live, change)], ALL)).toMatchObject([{ since: SINCE }]);
  }
});

test("objects without a timeout are not recorded, and at most a hundred others", () => {
  const deadlines = new ReadinessDeadlines(undefined, NOW);
  expect(deadlines.nextWaitingSince([evaluated(object())], { hasTimeout: () => false })).toBeUndefined();
  expect(
    deadlines.nextWaitingSince(
      Array.from({ length: 101 }, () => evaluated(object())),
      ALL,
    ),
  ).toHaveLength(100);
});
