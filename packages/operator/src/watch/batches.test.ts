import * as fc from "fast-check";
import { expect, test } from "vitest";
import { flatten } from "./batches.ts";
import type { Batches } from "./batches.ts";

test("batches are flattened in order of arrival", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer())), (all) => {
      const collected = all.reduce<Batches<number> | undefined>((before, latest) => ({ before, latest }), undefined);
      expect(collected === undefined ? [] : flatten(collected)).toEqual(all.flat());
    }),
  );
});
