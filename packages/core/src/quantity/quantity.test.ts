import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isIntegerQuantity,
  isQuantity,
  parseQuantity,
  quantityFromInteger,
  QuantityError,
  quantityToDouble,
  quantityToInteger,
  signOfQuantity,
  subQuantities,
} from "./index.ts";
import type { Quantity } from "./index.ts";

const suffixes = "n u m k M G T P E Ki Mi Gi Ti Pi Ei e3 E6 e-3 e-9 e-12 e+2 e30".split(" ");
const suffix = fc.constantFrom("", ...suffixes);
const text = fc
  .tuple(
    fc.constantFrom("", "-", "+"),
    fc.stringMatching(/^[0-9]{1,24}$/),
    fc.stringMatching(/^(\.[0-9]{0,14})?$/),
    suffix,
  )
  .map((parts) => parts.join(""));
const quantity = text.map(parseQuantity);

/** Returns the number in units of 10^-9, the finest resolution. */
function nanos(quantity: Quantity): bigint {
  return quantity.exponent < -9
    ? quantity.unscaled / 10n ** BigInt(-9 - quantity.exponent)
    : quantity.unscaled * 10n ** BigInt(quantity.exponent + 9);
}

/** Returns the canonical form of a text, or the error message. */
function canonicalOrError(text: string): string {
  try {
    return formatQuantity(parseQuantity(text));
  } catch (error) {
    if (error instanceof QuantityError) return error.message;
    throw error;
  }
}

test("the canonical form is stable and has the same value", () => {
  fc.assert(
    fc.property(quantity, (value) => {
      const canonical = formatQuantity(value);
      expect(canonical).toMatch(/^-?(0|[1-9][0-9]*)([numkMGTPE]|[KMGTPE]i|e-?[0-9]+)?$/);
      // A binary quantity that is not a multiple of 1024 has no suffix, so its format is lost, as in Kubernetes.
      expect(formatQuantity({ ...parseQuantity(canonical), format: value.format })).toBe(canonical);
      expect(compareQuantities(parseQuantity(canonical), value)).toBe(0);
    }),
    { numRuns: 2_000 },
  );
});

test("quantities are ordered by exact value", () => {
  fc.assert(
    fc.property(quantity, quantity, (a, b) => {
      const difference = nanos(a) - nanos(b);
      expect(compareQuantities(a, b)).toBe(difference === 0n ? 0 : difference < 0n ? -1 : 1);
      expect(compareQuantities(b, a) + compareQuantities(a, b)).toBe(0);
      expect(signOfQuantity(a)).toBe(compareQuantities(a, quantityFromInteger(0n)));
    }),
    { numRuns: 2_000 },
  );
});

test("sums and differences are exact, and undo each other", () => {
  fc.assert(
    fc.property(quantity, quantity, (a, b) => {
      expect(nanos(addQuantities(a, b))).toBe(nanos(a) + nanos(b));
      expect(nanos(subQuantities(a, b))).toBe(nanos(a) - nanos(b));
      expect(compareQuantities(subQuantities(addQuantities(a, b), b), a)).toBe(0);
      expect(addQuantities(a, b).format).toBe(signOfQuantity(a) === 0 ? b.format : a.format);
    }),
    { numRuns: 2_000 },
  );
});

test("an integer is exactly the number, and the double is close to it", () => {
  fc.assert(
    fc.property(quantity, (value) => {
      const integer = quantityToInteger(value);
      expect(isIntegerQuantity(value)).toBe(integer !== undefined);
      expect((integer ?? 0n) * 10n ** 9n).toBe(integer === undefined ? 0n : nanos(value));
      const exact = Number(nanos(value)) / 1e9;
      expect(Math.abs(quantityToDouble(value) - exact)).toBeLessThanOrEqual(Math.abs(exact) * 1e-15);
    }),
  );
});

test.each([
  ["0", "0"],
  ["-0", "0"],
  ["1", "1"],
  ["+1", "1"],
  ["007", "7"],
  [".5", "500m"],
  ["5.", "5"],
  ["1.500", "1500m"],
  ["0.1", "100m"],
  ["100m", "100m"],
  ["1000m", "1"],
  ["1500m", "1500m"],
  ["12000k", "12M"],
  ["12345k", "12345k"],
  ["1e3", "1e3"],
  ["1E3", "1e3"],
  ["1e4", "10e3"],
  ["12e-1", "1200e-3"],
  ["1e+2", "100"],
  ["1e4294967296", "1"],
  ["1Ki", "1Ki"],
  ["1024Ki", "1Mi"],
  ["1.5Gi", "1536Mi"],
  ["1.0Ki", "1Ki"],
  ["0.5Ki", "512"],
  ["0.0001Ki", "102400u"],
  ["1.1Ki", "1126400m"],
  ["-1536Mi", "-1536Mi"],
  ["2000Ki", "2000Ki"],
  ["0.1n", "1n"],
  ["-0.1n", "-1n"],
  ["12345e-12", "13e-9"],
  ["1e-2000000000", "1e-9"],
  ["1024Ei", "9223372036854775807"],
  ["-9Ei", "-9223372036854775807"],
  ["7Ei", "7Ei"],
  ["9999999999999999999999G", "9999999999999999999999G"],
  ["1000E", "1000E"],
  ["1e400", "10e399"],
])("%s is written %s", (text, canonical) => {
  expect(canonicalOrError(text)).toBe(canonical);
});

test.each(["Ki", "m", ".", "-", "+", "e3"])("%s without a digit is zero, as in Kubernetes", (text) => {
  expect(canonicalOrError(text)).toBe("0");
});

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongSuffix = "unable to parse quantity's suffix";
const wrongNumber = "unable to parse numeric part of quantity";

test.each([
  ["", wrongFormat],
  [" 1", wrongFormat],
  ["1 ", wrongFormat],
  ["1\n", wrongFormat],
  ["1.2.3", wrongFormat],
  ["1Zi", wrongFormat],
  ["1_000", wrongFormat],
  ["ä", wrongFormat],
  ["0x10", wrongFormat],
  ["--1", wrongSuffix],
  ["1-5", wrongSuffix],
  ["1K", wrongSuffix],
  ["1Kim", wrongSuffix],
  ["1Mi1", wrongSuffix],
  ["1e", wrongSuffix],
  ["1e+", wrongSuffix],
  ["1ee3", wrongSuffix],
  ["1e9223372036854775808", wrongSuffix],
  ["e-20", wrongNumber],
  ["Ei", wrongNumber],
  [".Ei", wrongNumber],
  ["1234567890123456789e2000000000", "a quantity can have at most 100000 digits"],
])("%j is rejected", (text, message) => {
  expect(canonicalOrError(text)).toBe(message);
  expect(isQuantity(text)).toBe(false);
});

test("integers are quantities stored in 64 bits without a fraction", () => {
  const integerOf = (text: string): bigint | undefined => quantityToInteger(parseQuantity(text));
  expect(integerOf("50k")).toBe(50_000n);
  expect(integerOf("-1e18")).toBe(-1_000_000_000_000_000_000n);
  expect(integerOf("10Ti")).toBe(10n * 2n ** 40n);
  expect(integerOf("0e400")).toBe(0n);
  for (const text of ["100Ti", "1Ei", "1000m", "0m", "1.0", "1.0Ki", "10E", "1e19", "9223372036854775807"]) {
    expect(integerOf(text)).toBeUndefined();
  }
});

test("a sum that overflows 64 bits is not an integer, but exact", () => {
  const large = quantityFromInteger(2n ** 63n - 1n, "DecimalSI");
  expect(isIntegerQuantity(large)).toBe(true);
  const sum = addQuantities(large, quantityFromInteger(1n));
  expect(isIntegerQuantity(sum)).toBe(false);
  expect(formatQuantity(sum)).toBe("9223372036854775808");
});

test("the double of a quantity out of range is infinite, and that of zero is zero", () => {
  expect(quantityToDouble(parseQuantity("1e400"))).toBe(Number.POSITIVE_INFINITY);
  expect(quantityToDouble(parseQuantity("-1e400"))).toBe(Number.NEGATIVE_INFINITY);
  expect(quantityToDouble(parseQuantity("0e400"))).toBe(0);
  expect(quantityToDouble(parseQuantity("1.5Gi"))).toBe(1_610_612_736);
  expect(quantityToDouble({ unscaled: 1n, exponent: -400, storage: "decimal", format: "DecimalSI" })).toBe(0);
});

test("numbers of absurd size are compared at once, and not added", () => {
  const huge = parseQuantity("1e2000000000");
  expect(compareQuantities(huge, parseQuantity("1"))).toBe(1);
  expect(compareQuantities(parseQuantity("-1e2000000000"), huge)).toBe(-1);
  expect(compareQuantities(huge, parseQuantity("10e1999999999"))).toBe(0);
  expect(formatQuantity(huge)).toBe("100e1999999998");
  expect(() => addQuantities(huge, parseQuantity("1"))).toThrow(QuantityError);
  expect(formatQuantity(addQuantities(huge, parseQuantity("0")))).toBe("100e1999999998");
  expect(compareQuantities(addQuantities(parseQuantity("0.0Ki"), huge), huge)).toBe(0);
});

test("long hostile strings are rejected in linear time", () => {
  for (const part of ["0", "1", "9", ".", "+", "e", "i", "1e", "0."]) {
    const hostile = part.repeat(50_000);
    expect(isQuantity(`${hostile}x`)).toBe(false);
    expect(isQuantity(`0${hostile}`)).toBe(/^[0-9]+$/.test(part));
    expect(isQuantity(`1e${hostile}`)).toBe(part === "0");
  }
  expect(canonicalOrError(`1${"0".repeat(50_000)}`)).toBe(`1${"0".repeat(49_982)}E`);
  expect(canonicalOrError(`0.${"0".repeat(50_000)}1`)).toBe("1n");
});
