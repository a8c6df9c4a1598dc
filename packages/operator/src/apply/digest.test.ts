import { hashOf } from "@levelset/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { digestOf } from "./digest.ts";

test("a digest is the hash of core, whatever the data", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(digestOf(value)).toBe(hashOf(value));
    }),
  );
});
