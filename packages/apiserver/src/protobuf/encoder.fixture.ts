/** Encodes protobuf for tests, including malformed data. */

const encoder = new TextEncoder();

/** A varint, of `length` bytes at least. */
export function varint(value: number | bigint, length = 1): Uint8Array {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest >= 0x80n || out.length < length - 1) {
    out.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Uint8Array.of(...out, Number(rest));
}

/** Concatenates bytes. */
export function bytes(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

function tag(number: number, type: number): Uint8Array {
  return varint(number * 8 + type);
}

/** A varint field. */
export function int(number: number, value: number | bigint | boolean): Uint8Array {
  return bytes(tag(number, 0), varint(typeof value === "boolean" ? Number(value) : value));
}

/** A field with eight bytes. */
export function double(number: number, value: number): Uint8Array {
  return bytes(tag(number, 1), new Uint8Array(Float64Array.of(value).buffer));
}

/** A field with four bytes. */
export function fixed32(number: number, value: number): Uint8Array {
  return bytes(tag(number, 5), new Uint8Array(Uint32Array.of(value).buffer));
}

/** A length-delimited field: a string, bytes, or a message given by its fields. */
export function data(number: number, ...content: readonly (Uint8Array | string)[]): Uint8Array {
  const value = bytes(...content.map((part) => (typeof part === "string" ? encoder.encode(part) : part)));
  return bytes(tag(number, 2), varint(value.length), value);
}

/** One entry of a map. */
export function entry(number: number, key: string, ...value: readonly (Uint8Array | string)[]): Uint8Array {
  return data(number, data(1, key), data(2, ...value));
}

/** An object in its envelope. */
export function envelope(apiVersion: string, kind: string, ...object: readonly Uint8Array[]): Uint8Array {
  return bytes(
    encoder.encode("k8s\0"),
    data(1, data(1, apiVersion), data(2, kind)),
    data(2, ...object),
    data(3),
    data(4),
  );
}
