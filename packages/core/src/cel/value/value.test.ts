import { describe, expect, test } from "vitest";
import {
  CEL_BYTES,
  CEL_DOUBLE,
  CEL_DURATION,
  CEL_DYN,
  CEL_INT,
  CEL_STRING,
  CEL_TIMESTAMP,
  CelDouble,
  CelDuration,
  CelError,
  CelMap,
  CelUint,
  compare,
  equal,
  fromJson,
  listType,
  mapGet,
  parseDuration,
  parseTimestamp,
  stringMap,
  structType,
  toJson,
  typeName,
} from "./index.ts";
import type { CelField, CelOutcome, CelValue } from "./index.ts";

describe("equality", () => {
  test("compares numbers by value, independent of type", () => {
    expect(equal(1, new CelDouble(1))).toBe(true);
    expect(equal(new CelUint(1n), 1)).toBe(true);
    expect(equal(1, new CelDouble(1.5))).toBe(false);
    expect(equal(2n ** 62n, 2n ** 62n + 1n)).toBe(false);
    expect(equal(new CelDouble(Number.NaN), new CelDouble(Number.NaN))).toBe(false);
    expect(equal(1, "1")).toBe(false);
    expect(equal(null, 0)).toBe(false);
  });

  test("compares lists and maps by their elements, in both representations of a map", () => {
    expect(equal([1, "a", [true]], [new CelDouble(1), "a", [true]])).toBe(true);
    expect(
      equal(
        { a: 1, b: null },
        stringMap([
          ["b", null],
          ["a", 1],
        ]),
      ),
    ).toBe(true);
    expect(equal({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(equal({ a: 1 }, { toString: 1 })).toBe(false);
    expect(equal(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
  });
});

test("strings are ordered by code points, not by UTF-16 code units", () => {
  expect(compare("\u{1f600}", "\uffff")).toBeGreaterThan(0);
  expect(compare("a", "b")).toBeLessThan(0);
  expect(compare("a", 1)).toBeUndefined();
});

describe("JSON", () => {
  test("is used without conversion: integers are ints, other numbers are doubles", () => {
    expect(fromJson(5)).toBe(5);
    expect(fromJson(2n ** 60n)).toBe(2n ** 60n);
    expect(fromJson(5n)).toBe(5);
    expect(fromJson(2n ** 70n)).toEqual(new CelDouble(2 ** 70));
    expect(fromJson(1e300)).toEqual(new CelDouble(1e300));
    expect(fromJson(1.5)).toEqual(new CelDouble(1.5));
    const list = [1, 2];
    expect(fromJson(list)).toBe(list);
  });

  test("with a declared type is converted according to the schema", () => {
    expect(fromJson(5, CEL_DOUBLE)).toEqual(new CelDouble(5));
    expect(typeName(fromJson("2024-01-01T00:00:00Z", CEL_TIMESTAMP))).toBe("google.protobuf.Timestamp");
    expect(typeName(fromJson("90s", CEL_DURATION))).toBe("google.protobuf.Duration");
    expect(fromJson("aGk=", CEL_BYTES)).toEqual(Uint8Array.of(104, 105));
    expect(fromJson("not a time", CEL_TIMESTAMP)).toBe("not a time");
    expect(fromJson([1, 2.5], listType(CEL_DOUBLE))).toEqual([new CelDouble(1), new CelDouble(2.5)]);
  });

  test("objects with such fields are converted when read, and escaped names are resolved", () => {
    const fields = new Map<string, CelField>([
      ["ratio", { type: CEL_DOUBLE }],
      ["count", { type: CEL_INT }],
      ["__namespace__", { type: CEL_STRING, key: "namespace" }],
    ]);
    const value = fromJson({ ratio: 2, count: 2, namespace: "x" }, structType("Spec", fields));
    expect(value).toBeInstanceOf(CelMap);
    if (!(value instanceof CelMap)) return;
    expect(mapGet(value, "ratio")).toEqual(new CelDouble(2));
    expect(mapGet(value, "count")).toBe(2);
    expect(mapGet(value, "__namespace__")).toBe("x");
    expect(mapGet(value, "toString")).toBeUndefined();
    const plain = { count: 1 };
    expect(fromJson(plain, structType("Plain", new Map([["count", { type: CEL_INT }]])))).toBe(plain);
  });

  test("is preserved, with keys such as __proto__ as data", () => {
    const values: CelValue = [
      new CelDouble(1.5),
      new CelUint(7n),
      2n ** 60n,
      Uint8Array.of(1),
      stringMap([["__proto__", "x"]]),
    ];
    const json = toJson(values);
    expect(json).toEqual([1.5, 7, 2n ** 60n, "AQ==", JSON.parse('{"__proto__": "x"}')]);
    expect(Object.getPrototypeOf(Array.isArray(json) ? json[4] : json)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
    expect(toJson(fromJson({ a: [1] }, CEL_DYN))).toEqual({ a: [1] });
  });
});

function must(outcome: CelOutcome): CelValue {
  if (outcome instanceof CelError) throw new Error(outcome.message);
  return outcome;
}

describe("times", () => {
  test.each([
    ["2024-02-29T12:00:00.5+01:00", "2024-02-29T11:00:00.5Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    ["1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999999Z"],
  ])("%s is %s", (text, shown) => {
    expect(toJson(must(parseTimestamp(text)))).toBe(shown);
  });

  test.each([
    "2023-02-29T00:00:00Z",
    "2024-13-01T00:00:00Z",
    "2024-01-01T24:00:00Z",
    "2024-01-01",
    "x",
    "0000-01-01T00:00:00Z",
  ])("%s is not a timestamp", (text) => {
    expect(parseTimestamp(text)).toBeInstanceOf(CelError);
  });

  test.each([
    ["1h30m", "5400s"],
    ["-1.5s", "-1.5s"],
    ["100ms2us3ns", "0.100002003s"],
    ["0", "0s"],
    [".5s", "0.5s"],
  ])("%s is %s", (text, shown) => {
    expect(toJson(must(parseDuration(text)))).toBe(shown);
  });

  test.each(["", "1", "1x", "s", "1h-1m", "999999999999h"])("%s is not a duration", (text) => {
    expect(parseDuration(text)).toBeInstanceOf(CelError);
  });

  test("a duration is bounded by 64 bits of nanoseconds", () => {
    expect(CelDuration.of(2n ** 63n - 1n)).toBeInstanceOf(CelDuration);
    expect(CelDuration.of(2n ** 63n)).toBeInstanceOf(CelError);
  });
});
