import { hashJson } from "@levelset/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { digestOf } from "./digest.ts";

test("a digest equals the hash of core for any data", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(digestOf(value)).toBe(hashJson(value));
    }),
  );
});
