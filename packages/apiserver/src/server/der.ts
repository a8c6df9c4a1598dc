/** DER encoding (ITU-T X.690) of the types in an X.509 certificate. */

function tagged(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(contents);
  return Buffer.concat([Uint8Array.of(tag), lengthOf(content.byteLength), content]);
}

function lengthOf(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.of(0x80 | bytes.length, ...bytes);
}

/** SEQUENCE. */
export function sequence(...items: readonly Uint8Array[]): Uint8Array {
  return tagged(0x30, ...items);
}

/** SET. */
export function set(...items: readonly Uint8Array[]): Uint8Array {
  return tagged(0x31, ...items);
}

/** Non-negative INTEGER from its bytes. */
export function integer(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start === -1 ? Uint8Array.of(0) : bytes.subarray(start);
  // A leading one bit would make it negative.
  const padding = (digits[0] ?? 0) >= 0x80 ? Uint8Array.of(0) : new Uint8Array();
  return tagged(0x02, padding, digits);
}

/** BOOLEAN. */
export function boolean(value: boolean): Uint8Array {
  return tagged(0x01, Uint8Array.of(value ? 0xff : 0));
}

/** BIT STRING. `unused` is the number of unused bits at the end. */
export function bitString(bytes: Uint8Array, unused = 0): Uint8Array {
  return tagged(0x03, Uint8Array.of(unused), bytes);
}

/** OCTET STRING. */
export function octetString(bytes: Uint8Array): Uint8Array {
  return tagged(0x04, bytes);
}

/** UTF8String. */
export function utf8(text: string): Uint8Array {
  return tagged(0x0c, Buffer.from(text, "utf8"));
}

/** UTCTime for years that fit, else GeneralizedTime (RFC 5280). */
export function time(ms: number): Uint8Array {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/gu, "");
  const year = Number(digits.slice(0, 4));
  return year < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}

/** OBJECT IDENTIFIER, from its dotted form. */
export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Uint8Array.of(first * 40 + second, ...rest.flatMap(base128)));
}

function base128(value: number): readonly number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) | 0x80);
  return bytes;
}

/** EXPLICIT context-specific tag around a value. */
export function explicit(tag: number, value: Uint8Array): Uint8Array {
  return tagged(0xa0 | tag, value);
}

/** IMPLICIT context-specific tag that replaces the tag of a primitive value. */
export function implicit(tag: number, bytes: Uint8Array): Uint8Array {
  return tagged(0x80 | tag, bytes);
}
