import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytes, data, double, fixed32, int, varint } from "./encoder.fixture.ts";
import { thrownUnlessProtobufError } from "./protobuf-error.fixture.ts";
import { FIELDS_MAX, packedVarints, ProtobufError, wireFields } from "./wire.ts";

function read(...parts: readonly Uint8Array[]): readonly unknown[] {
  return [...wireFields(bytes(...parts))].map(({ number, type, value }) => [
    number,
    type,
    typeof value === "bigint" ? value : [...value],
  ]);
}

test("each wire type is read, and fields come in the order of the bytes", () => {
  expect(read(data(2, "hi"), int(1, 300), double(3, 1), fixed32(536_870_911, 7), data(4))).toEqual([
    [2, "bytes", [0x68, 0x69]],
    [1, "varint", 300n],
    [3, "fixed64", 0x3ff0_0000_0000_0000n],
    [536_870_911, "fixed32", 7n],
    [4, "bytes", []],
  ]);
});

test("every number of 64 bits comes back, however many bytes it was padded to", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.integer({ min: 1, max: 10 }), (value, length) => {
      expect([...packedVarints(varint(value, length))]).toEqual([value]);
    }),
  );
});

describe("hostile bytes", () => {
  test.each([
    ["an endless varint", new Uint8Array(1_000_000).fill(0xff), "a varint is longer than 10 bytes"],
    ["a varint of eleven bytes", bytes(varint(8), varint(0, 11)), "a varint is longer than 10 bytes"],
    [
      "a varint of 70 bits",
      bytes(varint(8), new Uint8Array(9).fill(0xff), varint(2)),
      "a varint has more than 64 bits",
    ],
    ["a varint that stops", Uint8Array.of(8, 0x80), "truncated: 1 more bytes expected, 0 left"],
    ["a length beyond the end", Uint8Array.of(10, 5, 1), "truncated: 5 more bytes expected, 1 left"],
    ["a length of 2^64 - 1", bytes(varint(10), varint(2n ** 64n - 1n)), "truncated: 18446744073709551615 more bytes"],
    ["eight bytes that are seven", bytes(varint(9), new Uint8Array(7)), "truncated: 8 more bytes expected, 7 left"],
    ["four bytes that are none", varint(13), "truncated: 4 more bytes expected, 0 left"],
    ["field number 0", varint(0), "field number 0 is out of range"],
    ["field number 2^29", varint(2 ** 32), "field number 536870912 is out of range"],
    ["a group", varint(11), "field 1 has the unknown wire type 3"],
    ["the end of a group", varint(12), "field 1 has the unknown wire type 4"],
    ["wire type 7", varint(15), "field 1 has the unknown wire type 7"],
  ])("%s", (_name, input, message) => {
    expect(() => read(input)).toThrow(ProtobufError);
    expect(() => read(input)).toThrow(message);
  });

  test("arbitrary bytes are either decoded completely or rejected with a one-line message", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (input) => {
        expect(thrownUnlessProtobufError(() => [...wireFields(input)])).toBeUndefined();
        expect(thrownUnlessProtobufError(() => [...packedVarints(input)])).toBeUndefined();
      }),
      { numRuns: 5_000 },
    );
  });
});

test("a message with more fields than any object has is refused", () => {
  const field = [0x08, 0x01];
  const bytes = Uint8Array.from(Array.from({ length: FIELDS_MAX + 1 }, () => field).flat());
  expect(() => [...wireFields(bytes)]).toThrow(ProtobufError);
  expect([...wireFields(bytes.subarray(2))]).toHaveLength(FIELDS_MAX);
});
