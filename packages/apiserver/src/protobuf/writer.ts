/** Encodes the protobuf wire format into a growing buffer. */
export class ProtobufWriter {
  #buffer: Buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  /** Returns the bytes written so far. */
  finish(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#buffer.subarray(0, this.#length));
  }

  /** Writes a string field. */
  string(number: number, value: string): void {
    const size = Buffer.byteLength(value, "utf8");
    this.#varint(number * 8 + 2);
    this.#varint(size);
    this.#reserve(size);
    this.#length += this.#buffer.write(value, this.#length, "utf8");
  }

  /** Writes a bool field. */
  bool(number: number, value: boolean): void {
    this.#varint(number * 8);
    this.#varint(value ? 1 : 0);
  }

  /** Writes a non-negative int64 field. */
  int64(number: number, value: number): void {
    this.#varint(number * 8);
    this.#varint(value);
  }

  /** Writes a double field. */
  double(number: number, value: number): void {
    this.#varint(number * 8 + 1);
    this.#reserve(8);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
  }

  /** Writes a message field whose content is written by `write`. */
  message(number: number, write: () => void): void {
    this.#varint(number * 8 + 2);
    const start = this.#length;
    write();
    // The length prefix is known only now, so the message is moved to make room.
    const size = this.#length - start;
    const room = varintSize(size);
    this.#reserve(room);
    this.#buffer.copyWithin(start + room, start, this.#length);
    this.#length = start;
    this.#varint(size);
    this.#length += size;
  }

  #varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    while (rest >= 0x80) {
      this.#buffer[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[this.#length++] = rest;
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + size));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}
