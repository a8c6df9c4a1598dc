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
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  field(): WireField {
    const tag = this.varint();
    const number = Number(tag >> 3n);
    if (number === 0 || number > NUMBER_MAX) throw new ProtobufError(`field number ${number} is out of range`);
    const type = Number(tag & 7n);
    switch (type) {
      case 0:
        return { number, type: "varint", value: this.varint() };
      case 1:
        return { number, type: "fixed64", value: this.#view.getBigUint64(this.#skip(8n), true) };
      case 2:
        return { number, type: "bytes", value: this.#lengthDelimited() };
      case 5:
        return { number, type: "fixed32", value: BigInt(this.#view.getUint32(this.#skip(4n), true)) };
      default:
        // Wire types 3 and 4 are groups, which the messages of k8s.io/api do not use.
        throw new ProtobufError(`field ${number} has the unknown wire type ${type}`);
    }
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < VARINT_BITS_MAX; shift += 7n) {
      const byte = this.#bytes[this.#skip(1n)] ?? 0;
      // Nearly all tags and lengths are one byte.
      if (shift === 0n && byte < 0x80) return BigInt(byte);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return within64Bits(value);
    }
    throw new ProtobufError("a varint is longer than 10 bytes");
  }

  #lengthDelimited(): Uint8Array {
    const length = this.varint();
    const start = this.#skip(length);
    return this.#bytes.subarray(start, this.#at);
  }

  /** Skips `length` bytes and returns the offset of the first one. */
  #skip(length: bigint): number {
    const start = this.#at;
    const left = this.#bytes.length - start;
    if (length > BigInt(left)) throw new ProtobufError(`truncated: ${length} more bytes expected, ${left} left`);
    this.#at = start + Number(length);
    return start;
  }
}

function within64Bits(value: bigint): bigint {
  if (value >= 1n << VARINT_BITS_MAX) throw new ProtobufError("a varint has more than 64 bits");
  return value;
}
