import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytes, data, double, entry, fixed32, int, varint } from "./encoder.fixture.ts";
import { decodeMessage, DEPTH_MAX } from "./message.ts";
import { unexpected } from "./refusal.fixture.ts";
import { inline, kept, list, map, message, one } from "./table.ts";
import type { Field, Message } from "./table.ts";
import { ProtobufError } from "./wire.ts";

const part = message({ a: one("string", 1), b: one("int32", 2) });
const table = message({
  text: one("string", 1),
  keptText: kept("string", 2),
  flag: one("bool", 3),
  keptFlag: kept("bool", 4),
  small: one("int32", 5),
  keptSmall: kept("int32", 6),
  large: one("int64", 7),
  binary: one("bytes", 8),
  real: one("double", 9),
  time: one("time", 10),
  micro: one("microTime", 11),
  amount: one("quantity", 12),
  either: kept("intOrString", 13),
  part: one(part, 14),
  texts: list("string", 15),
  parts: list(part, 16),
  numbers: list("int64", 17),
  labels: map("string", 18),
  blobs: map("bytes", 19),
  byName: map(part, 20),
  amounts: map("quantity", 21),
  embedded: inline(message({ inner: one("string", 1), deeper: inline(part, 2) }), 22),
});

function decode(...fields: readonly Uint8Array[]): unknown {
  return decodeMessage(table, bytes(...fields));
}

describe("a field reads as", () => {
  test.each<[string, readonly Uint8Array[], unknown]>([
    ["nothing when it is absent", [], {}],
    ["text", [data(1, "ü\u{feff}")], { text: "ü\u{feff}" }],
    ["text that begins with a byte order mark", [data(1, "\u{feff}a")], { text: "\u{feff}a" }],
    ["nothing when Go would leave its zero out", [data(1), int(3, 0), int(5, 0), int(7, 0), data(8), double(9, 0)], {}],
    [
      "a zero where that says something",
      [data(2), int(4, 0), int(6, 0)],
      { keptText: "", keptFlag: false, keptSmall: 0 },
    ],
    ["true for any number but 0", [int(3, 2)], { flag: true }],
    ["a negative number, sign-extended as protobuf has it", [int(5, -1), int(7, -2)], { small: -1, large: -2 }],
    ["the low 32 bits", [int(5, 2 ** 32 + 7)], { small: 7 }],
    ["a number as long as it is exact", [int(7, Number.MAX_SAFE_INTEGER)], { large: Number.MAX_SAFE_INTEGER }],
    ["a bigint beyond", [int(7, -(2n ** 63n))], { large: -(2n ** 63n) }],
    ["base64", [data(8, Uint8Array.of(0xff, 0xfe))], { binary: "//4=" }],
    ["a fraction", [double(9, -0.5)], { real: -0.5 }],
    [
      "a time in whole seconds",
      [data(10, int(1, 1_767_225_600), int(2, 999_999_999))],
      { time: "2026-01-01T00:00:00Z" },
    ],
    ["a time before 1970", [data(10, int(1, -1))], { time: "1969-12-31T23:59:59Z" }],
    ["the start of 1970 when it says so", [data(10, int(1, 0))], { time: "1970-01-01T00:00:00Z" }],
    ["nothing for a time never set", [data(10), data(11), data(10, int(1, -62_135_596_800))], {}],
    ["a time in microseconds", [data(11, int(1, 0), int(2, 1_999))], { micro: "1970-01-01T00:00:00.000001Z" }],
    ["an amount", [data(12, data(1, "500m"))], { amount: "500m" }],
    ["an amount of zero when it says nothing", [data(12)], { amount: "0" }],
    ["a number or a text: number", [data(13, int(1, 0), int(2, 8080), data(3))], { either: 8080 }],
    ["a number or a text: zero", [data(13)], { either: 0 }],
    ["a number or a text: text", [data(13, int(1, 1), int(2, 0), data(3, "25%"))], { either: "25%" }],
    ["an empty object that is there", [data(14)], { part: {} }],
    ["a list with its empty items", [data(15, "a"), data(15), data(16)], { texts: ["a", ""], parts: [{}] }],
    ["a list of numbers, packed and not", [int(17, 1), data(17, varint(2), varint(-3))], { numbers: [1, 2, -3] }],
    ["a map", [entry(18, "k", "v"), entry(18, "", "")], { labels: { k: "v", "": "" } }],
    ["a map of bytes", [entry(19, "k", "v")], { blobs: { k: "dg==" } }],
    ["a map of objects", [entry(20, "k", data(1, "x"))], { byName: { k: { a: "x" } } }],
    ["a map of amounts", [entry(21, "cpu", data(1, "1"))], { amounts: { cpu: "1" } }],
    [
      "entries without key or value",
      [data(18), data(19), data(20, data(1, "k")), data(21)],
      { labels: { "": "" }, blobs: { "": "" }, byName: { k: {} }, amounts: { "": "0" } },
    ],
    ["fields of the object around it", [data(22, data(1, "i"), data(2, data(1, "x")))], { inner: "i", a: "x" }],
    ["the last of several", [data(1, "a"), data(1, "b"), int(3, 1), int(3, 0)], { text: "b" }],
    ["one object in parts", [data(14, data(1, "x")), data(14, int(2, 5))], { part: { a: "x", b: 5 } }],
    ["nothing when the number is unknown", [data(99, "?"), int(98, 1), fixed32(97, 1), double(96, 1)], {}],
  ])("%s", (_name, fields, expected) => {
    expect(decode(...fields)).toEqual(expected);
  });
});

test("keys that mean something to JavaScript are data", () => {
  const { labels } = decodeMessage(table, bytes(entry(18, "__proto__", "x"), entry(18, "constructor", "y")));
  expect(Object.entries(labels ?? {})).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
});

describe("refused:", () => {
  test.each<[string, Uint8Array, string]>([
    ["a number where text is due", int(1, 1), "field 1 has wire type varint where bytes is expected"],
    ["text where a number is due", data(5, "x"), "field 5 has wire type bytes where varint is expected"],
    ["four bytes where eight are due", fixed32(9, 1), "field 9 has wire type fixed32 where fixed64 is expected"],
    ["a number where an object is due", int(14, 1), "field 14 has wire type varint where bytes is expected"],
    ["a number where an embedded object is due", int(22, 1), "field 22 has wire type varint where bytes is expected"],
    ["a number that JSON does not have", double(9, Number.NaN), "field 9 is a number that JSON does not have"],
    ["a year beyond 9999", data(10, int(1, 253_402_300_800)), "a time is out of range"],
    ["the largest second", data(10, int(1, 2n ** 63n - 1n)), "a time is out of range"],
    ["nanoseconds that make a second", data(11, int(2, 1_000_000_000)), "a time is out of range"],
    ["a message inside that stops", data(14, Uint8Array.of(10, 9)), "truncated: 9 more bytes expected, 0 left"],
  ])("%s", (_name, input, why) => {
    expect(() => decode(input)).toThrow(ProtobufError);
    expect(() => decode(input)).toThrow(why);
  });

  test("nesting without end", () => {
    const fields = new Map<number, Field>();
    const recursive: Message = fields;
    fields.set(1, { shape: "one", name: "next", type: recursive, zero: "dropped" });
    const nested = (depth: number): Uint8Array => {
      let inner: Uint8Array = bytes();
      for (let at = 0; at < depth; at += 1) inner = data(1, inner);
      return inner;
    };
    expect(() => decodeMessage(recursive, nested(DEPTH_MAX))).not.toThrow();
    expect(() => decodeMessage(recursive, nested(DEPTH_MAX + 1))).toThrow("nested more than 100 levels deep");
    expect(() => decodeMessage(recursive, nested(5_000))).toThrow("nested more than 100 levels deep");
  });
});

test("whatever the bytes are, they are an object or refused in one line", () => {
  const anyField = fc
    .tuple(fc.integer({ min: 1, max: 23 }), fc.constantFrom(0, 1, 2, 5), fc.uint8Array({ maxLength: 12 }))
    .map(([number, type, rest]) => bytes(varint(number * 8 + type), type === 2 ? varint(rest.length) : bytes(), rest));
  const input = fc.oneof(
    fc.uint8Array({ maxLength: 100 }),
    fc.array(anyField, { maxLength: 10 }).map((fields) => bytes(...fields)),
  );
  fc.assert(
    fc.property(input, (hostile) => {
      expect(unexpected(() => decode(hostile))).toBeUndefined();
    }),
    { numRuns: 5_000 },
  );
});
