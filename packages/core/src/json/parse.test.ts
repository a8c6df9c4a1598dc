import * as fc from "fast-check";
import { expect, test } from "vitest";
import { JSON_DEPTH_MAX } from "./prescan.ts";
import { deepEqual } from "./equal.ts";
import { JsonError } from "./json-error.ts";
import { parseJson, stringifyJson } from "./parse.ts";
import { isJsonObject } from "./value.ts";

const data = fc.anything({
  key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString")),
  values: [
    fc.constantFrom(null, true, false),
    fc.string({ unit: "binary" }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isWrittenExactly),
    fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
  ],
  maxDepth: 4,
});

/** JavaScript prints integers between 2^53 and 10^21 with inexact digits; such integers are bigints here. */
function isWrittenExactly(double: number): boolean {
  return !Number.isInteger(double) || Number.isSafeInteger(double) || Math.abs(double) >= 1e21;
}

/** Returns the error thrown by parsing `text`. */
function failure(text: string): JsonError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error("the text was accepted");
}

test("values round-trip, including integers beyond 64 bits", () => {
  fc.assert(
    fc.property(data, (value) => {
      expect(deepEqual(parseJson(stringifyJson(value)), value)).toBe(true);
    }),
  );
});

test("indentation does not change the parsed value", () => {
  fc.assert(
    fc.property(data, fc.integer({ min: 0, max: 8 }), (value, indent) => {
      expect(deepEqual(parseJson(stringifyJson(value, indent)), value)).toBe(true);
    }),
  );
});

test("an integer literal of any size round-trips exactly", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 300n), max: 10n ** 300n }), (integer) => {
      const text = `{"a":[${integer}]}`;
      expect(stringifyJson(parseJson(text))).toBe(text);
    }),
  );
});

test("a text without large numbers is parsed like JSON.parse", () => {
  fc.assert(
    fc.property(
      fc.json().filter((text) => !/\d{16}/u.test(text)),
      (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      },
    ),
  );
});

test("a text is rejected if and only if JSON.parse rejects it", () => {
  const part = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', '"a"', "1", "-", ".", "e9", "tru", "null", "\\", " ");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const text = parts.join("");
      expect(accepts(parseJson, text)).toBe(accepts(JSON.parse, text));
    }),
    { numRuns: 2_000 },
  );
});

function accepts(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

test("integers beyond the safe range are parsed as bigints", () => {
  expect(parseJson("9007199254740991")).toBe(9_007_199_254_740_991);
  expect(parseJson("-9007199254740991")).toBe(-9_007_199_254_740_991);
  expect(parseJson("9007199254740992")).toBe(2n ** 53n);
  expect(parseJson(" 9007199254740993\n")).toBe(9_007_199_254_740_993n);
  expect(parseJson('{"a":9007199254740993}')).toEqual({ a: 9_007_199_254_740_993n });
  expect(parseJson("[9007199254740993]")).toEqual([9_007_199_254_740_993n]);
  expect(parseJson('{"a": -9223372036854775808}')).toEqual({ a: -(2n ** 63n) });
});

test("fractions and exponents are parsed as numbers", () => {
  expect(parseJson("12345678901234567890.5")).toBe(Number("12345678901234567890.5"));
  expect(parseJson("1e21")).toBe(1e21);
  expect(parseJson("1234567890123456e3")).toBe(1_234_567_890_123_456_000);
  expect(parseJson("0.12345678901234567890")).toBe(0.123_456_789_012_345_68);
});

test("numbers in any notation are parsed exactly, or rejected if too large", () => {
  const number = fc.record({
    sign: fc.constantFrom("", "-"),
    whole: fc.stringMatching(/^[1-9]\d{0,20}$/),
    fraction: fc.oneof(fc.constant(""), fc.stringMatching(/^\.\d{1,20}$/)),
    exponent: fc.oneof(fc.constant(""), fc.stringMatching(/^[eE][+-]?0?\d{1,3}$/)),
  });
  const around = fc.constantFrom(["", ""] as const, [" ", "\n"] as const, ["[", "]"] as const, ["[1,", ",2]"] as const);
  fc.assert(
    fc.property(number, around, ({ sign, whole, fraction, exponent }, [before, after]) => {
      const literal = sign + whole + fraction + exponent;
      const exact = fraction === "" && exponent === "" ? BigInt(literal) : Number(literal);
      const expected = [before === "[1," ? [1, exact, 2] : exact].flat();
      expect(deepEqual(numbersOf(before + literal + after), expected)).toBe(Number.isFinite(Number(literal)));
    }),
    { numRuns: 3_000 },
  );
});

/** Returns the parsed number or array of numbers; undefined if the text is rejected. */
function numbersOf(text: string): unknown {
  try {
    return [parseJson(text)].flat();
  } catch {
    return undefined;
  }
}

test("a string of many digits stays a string", () => {
  const digits = '{"id":"12345678901234567890","x":",12345678901234567890"}';
  expect(stringifyJson(parseJson(digits))).toBe(digits);
});

test("a number too large for a double is an error", () => {
  expect(failure('{"a": 1e309}').message).toBe("invalid JSON at line 1 column 7: number too large");
  expect(failure(`[-${"9".repeat(310)}]`).message).toBe("invalid JSON at line 1 column 2: number too large");
  expect(failure("123456789012345e299").reason).toBe("number too large");
  expect(failure("1E+400").reason).toBe("number too large");
  expect(failure("[1e0000309]").reason).toBe("number too large");
  expect(failure(`{"a":${"9".repeat(290)}e20}`).reason).toBe("number too large");
  expect(failure(`${"9".repeat(310)}.5`).reason).toBe("number too large");
  expect(failure(`1.${"9".repeat(310)}e308 `).reason).toBe("number too large");
  expect(parseJson("1e-400")).toBe(0);
});

test("a key named __proto__ is plain data on both paths", () => {
  for (const text of ['{"__proto__":{"polluted":1}}', '{"__proto__":{"polluted":12345678901234567890}}']) {
    const value = parseJson(text);
    expect(isJsonObject(value) && Object.keys(value)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(stringifyJson(value)).toBe(text);
  }
});

test.each([
  ["", 1, 1, "unexpected end of the text"],
  ['{"a":\n 1,}', 2, 4, "expected a property name in double quotes"],
  ['{"a" 1}', 1, 6, "expected ':' after the property name"],
  ['{"a":1 "b":2}', 1, 8, "expected ',' or '}' after the property value"],
  ["[1 2]", 1, 4, "expected ',' or ']' after the array element"],
  ["[1,\n\n]", 3, 1, "expected a value"],
  ['"abc', 1, 1, "unterminated string"],
  ['"a\tb"', 1, 3, "control character in a string"],
  ['"a\\x"', 1, 3, "invalid escape in a string"],
  ['"\\u12g4"', 1, 2, "invalid escape in a string"],
  ["01", 1, 2, "expected the end of the text"],
  ["{} {}", 1, 4, "expected the end of the text"],
  ["nul", 1, 1, "expected a value"],
  ["\uFEFF{}", 1, 1, "expected a value"],
])("the error for %j states the position and the problem", (text, line, column, reason) => {
  expect(failure(text)).toMatchObject({ line, column });
  expect(failure(text).reason).toBe(reason);
});

test("an error never quotes the document", () => {
  const error = failure('{"password": hunter2, "token": 12345678901234567890}');
  expect(error.message).toBe("invalid JSON at line 1 column 14: expected a value");
  expect(error.cause).toBeUndefined();
});

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

test("a text that is nested too deep is rejected, not counting brackets in strings", () => {
  expect(() => parseJson(nested(JSON_DEPTH_MAX))).not.toThrow();
  expect(failure(nested(JSON_DEPTH_MAX + 1)).reason).toBe("nested more than 1000 levels deep");
  expect(failure(`{"a":"\\"]","b":${nested(100_000)}}`).offset).toBe(15 + JSON_DEPTH_MAX - 1);
  expect(() => parseJson(JSON.stringify(`\\"${"[".repeat(5_000)}`))).not.toThrow();
});

test("a bigint is written as an integer literal", () => {
  expect(stringifyJson({ a: 2n ** 64n, b: [-1n] })).toBe('{"a":18446744073709551616,"b":[-1]}');
  expect(stringifyJson({ a: 2n ** 64n }, 2)).toBe('{\n  "a": 18446744073709551616\n}');
});

test("a value without a JSON form is rejected", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  expect(() => stringifyJson(undefined)).toThrow("cannot write a value of type undefined as JSON");
  expect(() => stringifyJson(cycle)).toThrow(TypeError);
  expect(() => stringifyJson({ cycle, integer: 1n })).toThrow("circular");
});
