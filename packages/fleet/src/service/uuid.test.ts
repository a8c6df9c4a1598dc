import fc from "fast-check";
import { seededRandom } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { UuidSource } from "./uuid.ts";

test("IDs are strictly increasing UUIDv7s, whatever the clock does", () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_009 }), { maxLength: 60 }),
      (seed, times) => {
        let now = 0;
        const clock = {
          now: () => now,
          monotonic: () => now,
          sleep: () => Promise.reject(new Error("unused")),
          after: () => ({ cancel: () => {} }),
        };
        const source = new UuidSource({ clock, random: seededRandom(seed) });
        const ids = times.map((time) => {
          now = time;
          return source.next();
        });
        expect(ids).toEqual(ids.toSorted());
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids)
          expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      },
    ),
  );
});

test("excess IDs of a millisecond use the next one", () => {
  const clock = {
    now: () => 5,
    monotonic: () => 5,
    sleep: () => Promise.reject(new Error("unused")),
    after: () => ({ cancel: () => {} }),
  };
  const source = new UuidSource({ clock, random: seededRandom(1) });
  const ids = Array.from({ length: 10_000 }, () => source.next());
  expect(ids).toEqual(ids.toSorted());
});
