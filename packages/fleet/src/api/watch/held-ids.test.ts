import fc from "fast-check";
import { expect, test } from "vitest";
import { HeldIds } from "./held-ids.ts";

test("what is held is remembered, and what is unknown is as it was at the start", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.boolean()));
  const holds = (mayHoldAny: boolean, told: readonly (readonly [string, boolean])[]): boolean => {
    const held = new HeldIds({ mayHoldAny });
    for (const [id, isHeld] of told) held.set(id, isHeld);
    const known = new Map(told);
    return ["a", "b", "c", "d"].every((id) => held.has(id) === (known.get(id) ?? mayHoldAny));
  };
  expect(() => fc.assert(fc.property(fc.boolean(), steps, holds))).not.toThrow();
});

test("with too much to remember anything may be held, which says too much but never too little", () => {
  const held = new HeldIds({ mayHoldAny: false, max: 2 });
  for (const id of ["a", "b", "c"]) held.set(id, true);
  expect(["a", "b", "c", "d"].map((id) => held.has(id))).toEqual([true, true, true, true]);
  held.set("d", false);
  expect(held.has("d")).toBe(false);
});
