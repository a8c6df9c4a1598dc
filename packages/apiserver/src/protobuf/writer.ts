/** Writes the wire format of protobuf into one growing buffer. */
export class ProtobufWriter {
  #buffer: Buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  /** What has been written so far. */
  finish(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#buffer.subarray(0, this.#length));
  }

  /** A field with a text. */
  text(number: number, value: string): void {
    const size = Buffer.byteLength(value, "utf8");
    this.#varint(number * 8 + 2);
    this.#varint(size);
    this.#reserve(size);
    this.#length += this.#buffer.write(value, this.#length, "utf8");
  }

  /** A field with a truth. */
  flag(number: number, value: boolean): void {
    this.#varint(number * 8);
    this.#varint(value ? 1 : 0);
  }

  /** A field with a whole number that is not negative. */
  whole(number: number, value: number): void {
    this.#varint(number * 8);
    this.#varint(value);
  }

  /** A field with a number of eight bytes. */
  double(number: number, value: number): void {
    this.#varint(number * 8 + 1);
    this.#reserve(8);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
  }

  /** A field with a message, which `write` writes. */
  message(number: number, write: () => void): void {
    this.#varint(number * 8 + 2);
    const start = this.#length;
    write();
    // The length stands in front, and is known only now: the message moves to make room.
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
