import * as fc from "fast-check";
import { expect, test } from "vitest";
import { childName } from "./child-name.ts";

const LONG = "a".repeat(63);

test.each([
  ["shop", "db", "shop-db"],
  ["shop", undefined, "shop"],
  ["a".repeat(49), "db", `${"a".repeat(49)}-db`],
])("the name of %s and %s is plain", (parent, suffix, name) => {
  expect(childName(parent, suffix)).toBe(name);
});

test.each([
  [LONG, "db", /^a{38}-[0-9a-f]{10}-db$/u],
  [LONG, undefined, /^a{40}-[0-9a-f]{10}$/u],
  [`${"a".repeat(37)}-${LONG}`, "db", /^a{37}-[0-9a-f]{10}-db$/u],
  ["shop", LONG, /^shop-[0-9a-f]{10}-a{20}$/u],
  ["example.com", "db", /^example-com-[0-9a-f]{10}-db$/u],
  ["1st", "db", /^x1st-[0-9a-f]{10}-db$/u],
  ["shop", "Ä b", /^shop-[0-9a-f]{10}-b$/u],
])("the name of %s and %s is changed and has a hash", (parent, suffix, name) => {
  expect(childName(parent, suffix)).toMatch(name);
});

test("every parent and suffix give a valid name of at most 52 characters", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (parent, suffix) => {
      fc.pre(parent !== "");
      const name = childName(parent, suffix);
      expect(name).toMatch(/^[a-z](?:[-a-z0-9]{0,50}[a-z0-9])?$/u);
    }),
  );
});

test("parents that differ beyond the limit, or in characters that are replaced, have children of different names", () => {
  const parents = [`${LONG}a`, `${LONG}b`, "a.b", "a-b", "a..b", "1a", "x1a"];
  expect(new Set(parents.map((parent) => childName(parent, "db"))).size).toBe(parents.length);
});
