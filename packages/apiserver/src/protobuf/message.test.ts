import fc from "fast-check";
import { describe, expect, test } from "vitest";
import served from "../api-types/api-types.json" with { type: "json" };
import { ApiTypes } from "../api-types/index.ts";
import { bytes, data, double, entry, fixed32, int, varint } from "./encoder.fixture.ts";
import { decodeMessage, DEPTH_MAX } from "./message.ts";
import { thrownUnlessProtobufError } from "./protobuf-error.fixture.ts";
import { MessageTables } from "./message-table.ts";
import type { MessageField, MessageTable } from "./message-table.ts";
import { ProtobufError } from "./wire.ts";

const types = new ApiTypes({
  ...served,
  types: {
    ...served.types,
    "test.v1.Part": { a: "1 string omitempty", b: "2 int32 omitempty" },
    "test.v1.Embedded": { inner: "1 string omitempty", deeper: "2 test.v1.Part inline" },
    "test.v1.Object": {
      text: "1 string omitempty",
      keptText: "2 string",
      flag: "3 bool omitempty",
      keptFlag: "4 *bool",
      small: "5 int32 omitempty",
      keptSmall: "6 *int32",
      large: "7 int64 omitempty",
      binary: "8 bytes omitempty",
      real: "9 double omitempty",
      time: "10 meta.v1.Time",
      micro: "11 meta.v1.MicroTime",
      amount: "12 resource.Quantity",
      either: "13 intstr.IntOrString",
      part: "14 test.v1.Part",
      texts: "15 []string",
      parts: "16 []test.v1.Part",
      numbers: "17 []int64",
      labels: "18 map[string]string",
      blobs: "19 map[string]bytes",
      byName: "20 map[string]test.v1.Part",
      amounts: "21 map[string]resource.Quantity",
      embedded: "22 test.v1.Embedded inline",
      raw: "23 runtime.RawExtension",
      limits: "24 apiextensions.v1.JSONSchemaPropsOrBool",
      extra: "25 map[string]authentication.v1.ExtraValue",
      raws: "26 []apiextensions.v1.JSON",
    },
  },
});
const table = new MessageTables(types).get("test.v1.Object");

function decode(...fields: readonly Uint8Array[]): unknown {
  return decodeMessage(table, bytes(...fields));
}

describe("a field is decoded as", () => {
  test.each<[string, readonly Uint8Array[], unknown]>([
    ["absent if it is missing", [], {}],
    ["text", [data(1, "ü\u{feff}")], { text: "ü\u{feff}" }],
    ["a string that starts with a byte order mark", [data(1, "\u{feff}a")], { text: "\u{feff}a" }],
    ["absent for a zero value that Go omits", [data(1), int(3, 0), int(5, 0), int(7, 0), data(8), double(9, 0)], {}],
    [
      "a zero value that Go does not omit",
      [data(2), int(4, 0), int(6, 0)],
      { keptText: "", keptFlag: false, keptSmall: 0 },
    ],
    ["true for any number except 0", [int(3, 2)], { flag: true }],
    ["a negative number, sign-extended", [int(5, -1), int(7, -2)], { small: -1, large: -2 }],
    ["the low 32 bits", [int(5, 2 ** 32 + 7)], { small: 7 }],
    ["a number if that is exact", [int(7, Number.MAX_SAFE_INTEGER)], { large: Number.MAX_SAFE_INTEGER }],
    ["a bigint if a number is not exact", [int(7, -(2n ** 63n))], { large: -(2n ** 63n) }],
    ["base64", [data(8, Uint8Array.of(0xff, 0xfe))], { binary: "//4=" }],
    ["a fraction", [double(9, -0.5)], { real: -0.5 }],
    [
      "a time in whole seconds",
      [data(10, int(1, 1_767_225_600), int(2, 999_999_999))],
      { time: "2026-01-01T00:00:00Z" },
    ],
    ["a time before 1970", [data(10, int(1, -1))], { time: "1969-12-31T23:59:59Z" }],
    ["the Unix epoch if it is set", [data(10, int(1, 0))], { time: "1970-01-01T00:00:00Z" }],
    ["absent for a time that was never set", [data(10), data(11), data(10, int(1, -62_135_596_800))], {}],
    ["a time in microseconds", [data(11, int(1, 0), int(2, 1_999))], { micro: "1970-01-01T00:00:00.000001Z" }],
    ["a quantity", [data(12, data(1, "500m"))], { amount: "500m" }],
    ["a zero quantity if it is empty", [data(12)], { amount: "0" }],
    ["an IntOrString: number", [data(13, int(1, 0), int(2, 8080), data(3))], { either: 8080 }],
    ["an IntOrString: zero", [data(13)], { either: 0 }],
    ["an IntOrString: string", [data(13, int(1, 1), int(2, 0), data(3, "25%"))], { either: "25%" }],
    ["an empty object that is present", [data(14)], { part: {} }],
    ["a list with its empty items", [data(15, "a"), data(15), data(16)], { texts: ["a", ""], parts: [{}] }],
    ["a list of numbers, packed and not", [int(17, 1), data(17, varint(2), varint(-3))], { numbers: [1, 2, -3] }],
    ["a map", [entry(18, "k", "v"), entry(18, "", "")], { labels: { k: "v", "": "" } }],
    ["a map of bytes", [entry(19, "k", "v")], { blobs: { k: "dg==" } }],
    ["a map of objects", [entry(20, "k", data(1, "x"))], { byName: { k: { a: "x" } } }],
    ["a map of quantities", [entry(21, "cpu", data(1, "1"))], { amounts: { cpu: "1" } }],
    [
      "entries without key or value",
      [data(18), data(19), data(20, data(1, "k")), data(21)],
      { labels: { "": "" }, blobs: { "": "" }, byName: { k: {} }, amounts: { "": "0" } },
    ],
    ["fields of the enclosing object", [data(22, data(1, "i"), data(2, data(1, "x")))], { inner: "i", a: "x" }],
    ["the JSON text of a RawExtension", [data(23, data(1, '{"a":[1]}'))], { raw: { a: [1] } }],
    ["absent for a RawExtension without text", [data(23, data(1)), data(23)], {}],
    ["null for a JSON item without text", [data(26, data(1, "0")), data(26)], { raws: [0, null] }],
    ["a schema or a bool: a bool", [data(24, int(1, 0))], { limits: false }],
    ["a schema or a bool: a schema", [data(24, int(1, 1), data(2, data(5, "string")))], { limits: { type: "string" } }],
    ["a map of lists", [entry(25, "k", data(1, "a"), data(1, "b"))], { extra: { k: ["a", "b"] } }],
    ["the last of several", [data(1, "a"), data(1, "b"), int(3, 1), int(3, 0)], { text: "b" }],
    ["one object in parts", [data(14, data(1, "x")), data(14, int(2, 5))], { part: { a: "x", b: 5 } }],
    ["absent if the field number is unknown", [data(99, "?"), int(98, 1), fixed32(97, 1), double(96, 1)], {}],
  ])("%s", (_name, fields, expected) => {
    expect(decode(...fields)).toEqual(expected);
  });
});

test("keys with a special meaning in JavaScript are data", () => {
  const { labels } = decodeMessage(table, bytes(entry(18, "__proto__", "x"), entry(18, "constructor", "y")));
  expect(Object.entries(labels ?? {})).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
});

describe("refused:", () => {
  test.each<[string, Uint8Array, string]>([
    ["a number instead of a string", int(1, 1), "field 1 has wire type varint where bytes is expected"],
    ["a string instead of a number", data(5, "x"), "field 5 has wire type bytes where varint is expected"],
    ["four bytes instead of eight", fixed32(9, 1), "field 9 has wire type fixed32 where fixed64 is expected"],
    ["a number instead of an object", int(14, 1), "field 14 has wire type varint where bytes is expected"],
    ["a number instead of an embedded object", int(22, 1), "field 22 has wire type varint where bytes is expected"],
    ["a number that JSON does not have", double(9, Number.NaN), "field 9 is a number that JSON does not have"],
    ["JSON text that is not JSON", data(23, data(1, "{secret")), "field 1 is not JSON"],
    ["a year beyond 9999", data(10, int(1, 253_402_300_800)), "a time is out of range"],
    ["the largest second", data(10, int(1, 2n ** 63n - 1n)), "a time is out of range"],
    ["nanoseconds that make a second", data(11, int(2, 1_000_000_000)), "a time is out of range"],
    ["a truncated nested message", data(14, Uint8Array.of(10, 9)), "truncated: 9 more bytes expected, 0 left"],
  ])("%s", (_name, input, why) => {
    expect(() => decode(input)).toThrow(ProtobufError);
    expect(() => decode(input)).toThrow(why);
  });

  test("nesting beyond the limit", () => {
    const fields = new Map<number, MessageField>();
    const recursive: MessageTable = fields;
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

test("arbitrary bytes are either decoded to an object or rejected with a one-line message", () => {
  const anyField = fc
    .tuple(fc.integer({ min: 1, max: 23 }), fc.constantFrom(0, 1, 2, 5), fc.uint8Array({ maxLength: 12 }))
    .map(([number, type, rest]) => bytes(varint(number * 8 + type), type === 2 ? varint(rest.length) : bytes(), rest));
  const input = fc.oneof(
    fc.uint8Array({ maxLength: 100 }),
    fc.array(anyField, { maxLength: 10 }).map((fields) => bytes(...fields)),
  );
  fc.assert(
    fc.property(input, (hostile) => {
      expect(thrownUnlessProtobufError(() => decode(hostile))).toBeUndefined();
    }),
    { numRuns: 5_000 },
  );
});
