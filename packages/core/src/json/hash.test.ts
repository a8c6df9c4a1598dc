import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical.ts";
import { deepEqual } from "./equal.ts";
import { hashOf } from "./hash.ts";
import { parseJson } from "./parse.ts";

/** The same data with the keys of every object in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, shuffled(member)]),
  );
}

test("the hash is the beginning of the SHA-256 of the canonical text, as other programs compute it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const text = new TextEncoder().encode(canonicalJson(value));
      const digest = Buffer.from(await crypto.subtle.digest("SHA-256", text)).toString("hex");
      expect(hashOf(value)).toBe(digest.slice(0, 32));
    }),
  );
});

test("the order of keys does not matter, at any depth", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(hashOf(shuffled(value))).toBe(hashOf(value));
    }),
  );
});

test("two values have one hash exactly when they are equal", () => {
  const value = fc.jsonValue({ maxDepth: 1 });
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(hashOf(a) === hashOf(b)).toBe(deepEqual(a, b));
    }),
  );
});

test("an absent field is no field, and an integer beyond 2^53 counts to its last digit", () => {
  expect(hashOf({ a: 1, b: undefined })).toBe(hashOf({ a: 1 }));
  expect(hashOf({ a: null })).not.toBe(hashOf({}));
  expect(hashOf(parseJson("9007199254740993"))).not.toBe(hashOf(parseJson("9007199254740992")));
});

test("a thousand computations give one hash", () => {
  const value = { image: "shop:1.9", env: [{ name: "PASSWORD", value: "p€ss" }] };
  expect(new Set(Array.from({ length: 1000 }, () => hashOf(shuffled(value)))).size).toBe(1);
});
