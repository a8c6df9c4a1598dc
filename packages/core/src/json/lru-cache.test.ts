import fc from "fast-check";
import { expect, test } from "vitest";
import { LruCache } from "./index.ts";

test("a key that is read stays longer than keys that were set after it and not read", () => {
  const cache = new LruCache<string, number>(2).set("a", 1).set("b", 2);
  expect([cache.get("a"), cache.get("none")]).toEqual([1, undefined]);
  cache.set("c", 3);
  expect([...cache.keys()]).toEqual(["a", "c"]);
});

test("a missing value is created once", () => {
  const cache = new LruCache<string, object>(2);
  const value = cache.getOrCreate("a", () => ({}));
  expect(cache.getOrCreate("a", () => ({}))).toBe(value);
});

test("keeps the keys that were set last, each with its last value", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(6), fc.nat())), fc.integer({ min: 1, max: 4 }), (entries, max) => {
      const cache = new LruCache<number, number>(max);
      for (const [key, value] of entries) cache.set(key, value);
      const latest = new Map<number, number>();
      for (const [key, value] of entries) {
        latest.delete(key);
        latest.set(key, value);
      }
      expect([...cache]).toEqual([...latest].slice(-max));
    }),
  );
});
