import type { KubeObject } from "@levelset/core";
import { expect, test } from "vitest";
import type { Item } from "./item.ts";
import type { Change, JudgedItem } from "./outcome.ts";
import { Patience } from "./patience.ts";

const NOW = Date.UTC(2026, 0, 1, 0, 0, 10, 500);
const SINCE = "2026-01-01T00:00:11Z";
const ALL = { hasTimeout: () => true };
const ref = { group: "", kind: "ConfigMap", namespace: "shop", name: "x" };

function object(uid = "u", generation?: number): KubeObject {
  const version = generation === undefined ? {} : { generation };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", uid, resourceVersion: "1", ...version } };
}

function judged(live: KubeObject, change: Change = "none", kind: "ready" | "progressing" = "progressing"): JudgedItem {
  // Only the reference of an item matters here.
  const item = { ref } as unknown as Item;
  return { item, outcome: { kind: "applied", object: live, change }, readiness: { kind, message: "" } };
}

test("an object is waited for from the next full second on", () => {
  const patience = new Patience(undefined, NOW);
  expect(patience.waitedMs(ref, object())).toBe(0);
  expect(patience.after([judged(object())], ALL)).toEqual([{ ...ref, uid: "u", since: SINCE }]);
});

test("it is waited for since then, until it is ready, applied again or another one", () => {
  const awaited = [{ ...ref, uid: "u", generation: 1, since: "2026-01-01T00:00:05Z" }];
  const patience = new Patience({ awaited }, NOW);
  expect(patience.waitedMs(ref, object("u", 1))).toBe(5_500);
  expect(patience.after([judged(object("u", 1))], ALL)).toEqual(awaited);
  expect(patience.after([judged(object("u", 1), "drifted")], ALL)).toEqual(awaited);
  expect(patience.after([judged(object("u", 1), "none", "ready")], ALL)).toBeUndefined();
  for (const [live, change] of [
    [object("u", 1), "changed"],
    [object("u", 2), "none"],
    [object("v", 1), "none"],
  ] as const) {
    expect(patience.waitedMs(ref, live, change)).toBe(0);
    expect(patience.after([judged(live, change)], ALL)).toMatchObject([{ since: SINCE }]);
  }
});

test("what may be on its way for ever is not remembered, and of the rest a hundred at most", () => {
  const patience = new Patience(undefined, NOW);
  expect(patience.after([judged(object())], { hasTimeout: () => false })).toBeUndefined();
  expect(
    patience.after(
      Array.from({ length: 101 }, () => judged(object())),
      ALL,
    ),
  ).toHaveLength(100);
});
