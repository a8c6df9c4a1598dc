import fc from "fast-check";
import { expect, test } from "vitest";
import { EvictionQueue } from "./eviction-queue.ts";

test("the queue retains the latest items within its limits and evicts the others once, oldest first", () => {
  const limits = { countMax: 5, sizeMax: 100 };
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 40 }), (sizes) => {
      const recent = new EvictionQueue(limits);
      const released: number[] = [];
      for (const [index, size] of sizes.entries()) recent.add({ size, evict: () => released.push(index) });
      const held = sizes.slice(released.length);
      expect(released).toEqual(sizes.slice(0, released.length).map((_size, index) => index));
      expect(held.length).toBeLessThanOrEqual(limits.countMax);
      expect(held.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limits.sizeMax);
    }),
  );
});
