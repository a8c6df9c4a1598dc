import fc from "fast-check";
import { expect, test } from "vitest";
import { LruCache } from "./index.ts";

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
