import fc from "fast-check";
import { expect, test } from "vitest";
import type { StoreEvent } from "./store.ts";
import { StoreSubscription } from "./subscription.ts";

function event(revision: number, size = 1, namespace = "n"): StoreEvent {
  const key = { resource: "things", namespace, name: "a" };
  const object = { apiVersion: "v1", kind: "Thing", metadata: { name: "a", uid: "u", resourceVersion: `${revision}` } };
  return { kind: "created", revision, record: { key, object, json: "x".repeat(size), revision } };
}

interface Limits {
  readonly backlogMax?: number;
  readonly backlogMaxBytes?: number;
}

function subscribe(replay: readonly StoreEvent[], limits: Limits = {}) {
  const reported = { notifications: 0, closes: 0 };
  const subscription = new StoreSubscription({
    scope: { namespace: "n" },
    replay,
    backlogMax: 1_000,
    backlogMaxBytes: 1_000,
    ...limits,
    notify: () => reported.notifications++,
    onClose: () => reported.closes++,
  });
  return { subscription, reported };
}

test("every event is delivered once and in order, for any batch sizes", () => {
  const moves = fc.array(fc.record({ offered: fc.nat({ max: 5 }), taken: fc.integer({ min: 1, max: 7 }) }));
  fc.assert(
    fc.property(fc.nat({ max: 9 }), moves, (past, list) => {
      let revision = 0;
      const next = (): StoreEvent => event(++revision);
      const { subscription, reported } = subscribe(Array.from({ length: past }, next));
      const seen: number[] = [];
      let live = 0;
      for (const { offered, taken } of list) {
        for (let each = 0; each < offered; each++) subscription.push(next());
        live += offered;
        const got = subscription.take(taken);
        expect(got.length).toBeLessThanOrEqual(taken);
        seen.push(...got.map((one) => one.revision));
        expect(subscription.pendingCount).toBe(revision - seen.length);
      }
      seen.push(...subscription.take(revision + 1).map((one) => one.revision));
      expect(seen).toEqual(Array.from({ length: revision }, (_none, index) => index + 1));
      expect(reported.notifications).toBe(live);
    }),
  );
});

test("taken events free the backlog: a reader that keeps up is never slow, by count or by bytes", () => {
  const { subscription } = subscribe([], { backlogMax: 4, backlogMaxBytes: 40 });
  for (let revision = 1; revision <= 100; revision += 3) {
    for (let each = 0; each < 3; each++) subscription.push(event(revision + each, 10));
    expect(subscription.take(3)).toHaveLength(3);
  }
  expect([subscription.endReason, subscription.pendingCount]).toEqual([undefined, 0]);
  for (let each = 0; each < 4; each++) subscription.push(event(200 + each, 10));
  expect(subscription.endReason).toBeUndefined();
  subscription.push(event(300, 1));
  expect(subscription.endReason).toBe("slow");
});

test("events outside the scope neither notify nor count as pending", () => {
  const { subscription, reported } = subscribe([]);
  subscription.push(event(1, 1, "elsewhere"));
  expect([subscription.pendingCount, reported.notifications]).toEqual([0, 0]);
});

test("a subscription ends once, with the first reason, and notifies once", () => {
  const { subscription, reported } = subscribe([event(1)]);
  subscription.end("closed");
  subscription.end("slow");
  subscription.close();
  expect([subscription.endReason, reported.closes, reported.notifications]).toEqual(["closed", 1, 1]);
  // Pending events stay readable after the store is closed.
  expect(subscription.take(9)).toHaveLength(1);
});

test("a reader that closes the subscription is not notified and receives no more events", () => {
  const { subscription, reported } = subscribe([event(1)]);
  subscription.close();
  subscription.close();
  subscription.push(event(2));
  expect([subscription.take(9), subscription.endReason, reported]).toEqual([
    [],
    "closed",
    { notifications: 0, closes: 1 },
  ]);
});
