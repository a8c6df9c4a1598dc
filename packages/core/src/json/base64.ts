const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Encodes bytes as base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b, c] = [bytes[index], bytes[index + 1], bytes[index + 2]];
    text += ALPHABET.charAt(a >> 2) + ALPHABET.charAt(((a & 3) << 4) | ((b ?? 0) >> 4));
    text += b === undefined ? "=" : ALPHABET.charAt(((b & 15) << 2) | ((c ?? 0) >> 6));
    text += c === undefined ? "=" : ALPHABET.charAt(c & 63);
  }
  return text;
}

/** Decodes base64, with or without padding. Returns undefined if it is invalid. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const match = /^([A-Za-z0-9+/]*)(={0,2})$/.exec(text);
  const digits = match?.[1] ?? "";
  const isPadded = (match?.[2] ?? "") !== "";
  if (match === null || digits.length % 4 === 1 || (isPadded && text.length % 4 !== 0)) return undefined;
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  let count = 0;
  let length = 0;
  for (const digit of digits) {
    bits = ((bits << 6) | ALPHABET.indexOf(digit)) & 0xff_ff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[length] = (bits >> count) & 0xff;
    length += 1;
  }
  return bytes;
}
