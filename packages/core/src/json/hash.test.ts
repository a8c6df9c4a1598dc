import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical.ts";
import { deepEqual } from "./equal.ts";
import { hashJson } from "./hash.ts";
import { parseJson } from "./parse.ts";

/** Returns the same data with the keys of every object in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, shuffled(member)]),
  );
}

test("the hash is a prefix of the SHA-256 of the canonical text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const text = new TextEncoder().encode(canonicalJson(value));
      const digest = Buffer.from(await crypto.subtle.digest("SHA-256", text)).toString("hex");
      expect(hashJson(value)).toBe(digest.slice(0, 32));
    }),
  );
});

test("the order of keys does not matter, at any depth", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(hashJson(shuffled(value))).toBe(hashJson(value));
    }),
  );
});

test("two values have the same hash if and only if they are equal", () => {
  const value = fc.jsonValue({ maxDepth: 1 });
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(hashJson(a) === hashJson(b)).toBe(deepEqual(a, b));
    }),
  );
});

test("undefined fields are ignored, and integers beyond 2^53 are exact", () => {
  expect(hashJson({ a: 1, b: undefined })).toBe(hashJson({ a: 1 }));
  expect(hashJson({ a: null })).not.toBe(hashJson({}));
  expect(hashJson(parseJson("9007199254740993"))).not.toBe(hashJson(parseJson("9007199254740992")));
});

test("the hash is deterministic", () => {
  const value = { image: "shop:1.9", env: [{ name: "PASSWORD", value: "p€ss" }] };
  expect(new Set(Array.from({ length: 1000 }, () => hashJson(shuffled(value)))).size).toBe(1);
});
