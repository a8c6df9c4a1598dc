import fc from "fast-check";
import { expect, test } from "vitest";
import { CelError } from "./cel-error.ts";
import {
  INT_MAX,
  INT_MIN,
  addInt,
  checkedInt,
  divideInt,
  intOf,
  isInt,
  multiplyInt,
  remainderInt,
  subtractInt,
} from "./int.ts";
import type { CelInt } from "./value.ts";

/** 64-bit integers, many of them near the bounds of 64 and 53 bits. */
const INTS = fc.oneof(
  fc.bigInt({ min: INT_MIN, max: INT_MAX }),
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: 2n ** 53n - 5n, max: 2n ** 53n + 5n }),
  fc.bigInt({ min: -(2n ** 53n) - 5n, max: -(2n ** 53n) + 5n }),
  fc.bigInt({ min: INT_MAX - 5n, max: INT_MAX }),
  fc.bigInt({ min: INT_MIN, max: INT_MIN + 5n }),
);

test.each<[string, (a: CelInt, b: CelInt) => CelInt | CelError, (a: bigint, b: bigint) => bigint]>([
  ["+", addInt, (a, b) => a + b],
  ["-", subtractInt, (a, b) => a - b],
  ["*", multiplyInt, (a, b) => a * b],
  ["/", divideInt, (a, b) => a / b],
  ["%", remainderInt, (a, b) => a % b],
])("%s is exact in 64 bits, and an error on overflow", (sign, ours, oracle) => {
  const expected = (a: bigint, b: bigint): CelInt | undefined => {
    if (b === 0n && (sign === "/" || sign === "%")) return undefined;
    const exact = oracle(a, b);
    return exact < INT_MIN || exact > INT_MAX ? undefined : intOf(exact);
  };
  fc.assert(
    fc.property(INTS, INTS, (a, b) => {
      const found = ours(intOf(a), intOf(b));
      expect(found instanceof CelError ? undefined : found).toBe(expected(a, b)); // `toBe` distinguishes 0 from -0
    }),
    { numRuns: 500 },
  );
});

test("an integer has one representation: a number if that is exact, otherwise a bigint", () => {
  fc.assert(
    fc.property(INTS, (value) => {
      const int = intOf(value);
      expect(BigInt(int)).toBe(value);
      expect(typeof int).toBe(Number.isSafeInteger(Number(value)) ? "number" : "bigint");
      expect(isInt(int)).toBe(true);
    }),
  );
  expect(checkedInt(INT_MAX + 1n)).toBeInstanceOf(CelError);
});
