import fc from "fast-check";
import { expect, test } from "vitest";
import type { StoreEvent } from "./contract.ts";
import { Subscription } from "./subscription.ts";

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
  const told = { wakes: 0, closes: 0 };
  const subscription = new Subscription({
    scope: { namespace: "n" },
    replay,
    backlogMax: 1_000,
    backlogMaxBytes: 1_000,
    ...limits,
    wake: () => told.wakes++,
    onClose: () => told.closes++,
  });
  return { subscription, told };
}

test("every event comes once, in order, whatever is taken at a time", () => {
  const moves = fc.array(fc.record({ offered: fc.nat({ max: 5 }), taken: fc.integer({ min: 1, max: 7 }) }));
  fc.assert(
    fc.property(fc.nat({ max: 9 }), moves, (past, list) => {
      let revision = 0;
      const next = (): StoreEvent => event(++revision);
      const { subscription, told } = subscribe(Array.from({ length: past }, next));
      const seen: number[] = [];
      let live = 0;
      for (const { offered, taken } of list) {
        for (let each = 0; each < offered; each++) subscription.offer(next());
        live += offered;
        const got = subscription.take(taken);
        expect(got.length).toBeLessThanOrEqual(taken);
        seen.push(...got.map((one) => one.revision));
        expect(subscription.waiting).toBe(revision - seen.length);
      }
      seen.push(...subscription.take(revision + 1).map((one) => one.revision));
      expect(seen).toEqual(Array.from({ length: revision }, (_none, index) => index + 1));
      expect(told.wakes).toBe(live);
    }),
  );
});

test("what was taken makes room: a reader that keeps up is never slow, by number or by bytes", () => {
  const { subscription } = subscribe([], { backlogMax: 4, backlogMaxBytes: 40 });
  for (let revision = 1; revision <= 100; revision += 3) {
    for (let each = 0; each < 3; each++) subscription.offer(event(revision + each, 10));
    expect(subscription.take(3)).toHaveLength(3);
  }
  expect([subscription.ended, subscription.waiting]).toEqual([undefined, 0]);
  for (let each = 0; each < 4; each++) subscription.offer(event(200 + each, 10));
  expect(subscription.ended).toBeUndefined();
  subscription.offer(event(300, 1));
  expect(subscription.ended).toBe("slow");
});

test("events of elsewhere neither wake nor wait", () => {
  const { subscription, told } = subscribe([]);
  subscription.offer(event(1, 1, "elsewhere"));
  expect([subscription.waiting, told.wakes]).toEqual([0, 0]);
});

test("it ends once, for the first reason, and tells so once", () => {
  const { subscription, told } = subscribe([event(1)]);
  subscription.end("closed");
  subscription.end("slow");
  subscription.close();
  expect([subscription.ended, told.closes, told.wakes]).toEqual(["closed", 1, 1]);
  // A store that closes has told nothing wrong: what waits may be read.
  expect(subscription.take(9)).toHaveLength(1);
});

test("a reader that closes it is not woken and gets nothing more", () => {
  const { subscription, told } = subscribe([event(1)]);
  subscription.close();
  subscription.close();
  subscription.offer(event(2));
  expect([subscription.take(9), subscription.ended, told]).toEqual([[], "closed", { wakes: 0, closes: 1 }]);
});
