import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../json/index.ts";
import { jsonSize } from "./json-size.ts";

test("the size of plain values is close to the length of their text", () => {
  const plain = fc.dictionary(fc.stringMatching(/^[a-z]{0,5}$/), fc.array(fc.oneof(fc.nat(), fc.boolean())));
  fc.assert(
    fc.property(plain, (value) => {
      const { length } = JSON.stringify(value);
      expect(jsonSize(value, Infinity)).toSatisfy((size: number) => size >= length && size <= 2 * length + 2);
    }),
  );
});

test("a value with shared parts is rejected without a full walk", () => {
  let value: JsonValue = "x";
  for (let level = 0; level < 100; level += 1) value = [value, value];
  expect(jsonSize(value, 1_000)).toBeGreaterThan(1_000);
});
