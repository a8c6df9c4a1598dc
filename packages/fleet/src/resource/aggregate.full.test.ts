import fc from "fast-check";
import { expect, test } from "vitest";
import { firstDifference, histories, KINDS } from "./history.fixture.ts";

test("the default expressions equal the truth tables on 100,000 histories", () => {
  fc.assert(
    fc.property(histories, fc.constantFrom(...KINDS), (events, kind) => {
      expect(firstDifference(events, kind)).toBeUndefined();
    }),
    { numRuns: 100_000 },
  );
});
