import fc from "fast-check";
import { expect, test } from "vitest";
import { ClientIds } from "./client-ids.ts";

test("known IDs are remembered, and unknown IDs have the initial default", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.boolean()));
  const holds = (mayHoldAny: boolean, reported: readonly (readonly [string, boolean])[]): boolean => {
    const held = new ClientIds({ mayHoldAny });
    for (const [id, isHeld] of reported) held.set(id, isHeld);
    const known = new Map(reported);
    return ["a", "b", "c", "d"].every((id) => held.has(id) === (known.get(id) ?? mayHoldAny));
  };
  expect(() => fc.assert(fc.property(fc.boolean(), steps, holds))).not.toThrow();
});

test("beyond the limit any ID may be held, so that no removal is missed", () => {
  const held = new ClientIds({ mayHoldAny: false, max: 2 });
  for (const id of ["a", "b", "c"]) held.set(id, true);
  expect(["a", "b", "c", "d"].map((id) => held.has(id))).toEqual([true, true, true, true]);
  held.set("d", false);
  expect(held.has("d")).toBe(false);
});
