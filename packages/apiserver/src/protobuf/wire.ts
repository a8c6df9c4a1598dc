/** Invalid protobuf data. The error message is one line and contains no content of the data. */
export class ProtobufError extends Error {
  override readonly name: string = "ProtobufError";
}

/** One field on the wire: its number and undecoded value. */
export type WireField =
  | { readonly number: number; readonly type: "varint" | "fixed64" | "fixed32"; readonly value: bigint }
  | { readonly number: number; readonly type: "bytes"; readonly value: Uint8Array };

const VARINT_BITS_MAX = 64n;
const NUMBER_MAX = 2 ** 29 - 1;

/** Maximum number of fields per message. Bounds the work for malicious bodies. */
export const FIELDS_MAX = 100_000;

/** Yields the fields of a message in wire order. Throws `ProtobufError` at the first invalid byte. */
export function* wireFields(bytes: Uint8Array): Generator<WireField, void> {
  const reader = new Reader(bytes);
  for (let fields = 0; !reader.isDone; fields++) {
    if (fields === FIELDS_MAX) throw new ProtobufError(`a message has more than ${FIELDS_MAX} fields`);
    yield reader.field();
  }
}

/** Yields the values of a packed list. */
export function* packedVarints(bytes: Uint8Array): Generator<bigint, void> {
  const reader = new Reader(bytes);
  while (!reader.isDone) yield reader.varint();
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  field(): WireField {
    const tag = this.#tag();
    const number = Math.floor(tag / 8);
    if (number === 0 || number > NUMBER_MAX) throw new ProtobufError(`field number ${number} is out of range`);
    const type = tag % 8;
    switch (type) {
      case 0:
        return { number, type: "varint", value: this.varint() };
      case 1:
        return { number, type: "fixed64", value: this.#view(8).getBigUint64(0, true) };
      case 2:
        return { number, type: "bytes", value: this.#lengthDelimited() };
      case 5:
        return { number, type: "fixed32", value: BigInt(this.#view(4).getUint32(0, true)) };
      default:
        // Wire types 3 and 4 are groups, which the messages of k8s.io/api do not use.
        throw new ProtobufError(`field ${number} has the unknown wire type ${type}`);
    }
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < VARINT_BITS_MAX; shift += 7n) {
      const byte = this.#bytes[this.#skip(1)] ?? 0;
      if (shift === 0n && byte < 0x80) return BigInt(byte);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return within64Bits(value);
    }
    throw new ProtobufError("a varint is longer than 10 bytes");
  }

  /** Reads a tag. A number of more than 53 bits is rounded, which is beyond every field number. */
  #tag(): number {
    return this.#short() ?? Number(this.varint());
  }

  #view(length: number): DataView {
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#skip(length), length);
  }

  #lengthDelimited(): Uint8Array {
    const start = this.#skip(this.#short() ?? this.varint());
    return this.#bytes.subarray(start, this.#at);
  }

  /** Reads a varint of one or two bytes, as nearly all tags and lengths are; undefined if it is longer. */
  #short(): number | undefined {
    const low = this.#bytes[this.#at] ?? 0x80;
    const high = this.#bytes[this.#at + 1] ?? 0x80;
    if (low < 0x80) this.#at += 1;
    else if (high < 0x80) this.#at += 2;
    else return undefined;
    return low < 0x80 ? low : (low & 0x7f) + high * 0x80;
  }

  /** Skips `length` bytes and returns the offset of the first one. */
  #skip(length: number | bigint): number {
    const start = this.#at;
    const left = this.#bytes.length - start;
    if (length > left) throw new ProtobufError(`truncated: ${length} more bytes expected, ${left} left`);
    this.#at = start + Number(length);
    return start;
  }
}

function within64Bits(value: bigint): bigint {
  if (value >= 1n << VARINT_BITS_MAX) throw new ProtobufError("a varint has more than 64 bits");
  return value;
}
