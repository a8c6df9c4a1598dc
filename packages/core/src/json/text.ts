/** Text that can be stored: well-formed Unicode without U+0000. */

/** Offset from an invalid byte to the lone surrogate that represents it. */
const ESCAPED_BYTE = 0xdc_00;

/** Returns why a text cannot be stored, or undefined. The reason does not quote the text. */
export function textProblem(text: string): string | undefined {
  const nul = text.indexOf("\0");
  if (nul >= 0) return `must not contain the character U+0000 (found at position ${nul})`;
  if (text.isWellFormed()) return undefined;
  const index = text.search(/\p{Surrogate}/u);
  const code = text.charCodeAt(index);
  // `decodeUtf8` maps an invalid byte to this range.
  const byte =
    code >= ESCAPED_BYTE + 0x80 && code <= ESCAPED_BYTE + 0xff ? `byte 0x${hex(code - ESCAPED_BYTE)} or the ` : "";
  return `must be well-formed Unicode (found the ${byte}lone surrogate U+${hex(code)} at position ${index})`;
}

function hex(code: number): string {
  return code.toString(16).toUpperCase();
}

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LOSSY = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Decodes UTF-8. The first invalid byte becomes a lone surrogate, U+DC80 to U+DCFF, so that `textProblem` reports it in
 * its field; later ones become U+FFFD.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return STRICT.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const lossy = LOSSY.decode(bytes);
  const at = new TextEncoder().encode(lossy).findIndex((byte, index) => byte !== bytes[index]);
  const before = LOSSY.decode(bytes.subarray(0, at));
  return `${before}${String.fromCharCode(ESCAPED_BYTE + (bytes[at] ?? 0x80))}${lossy.slice(before.length + 1)}`;
}

/** Truncates a text to at most `max` UTF-16 code units without splitting a character. */
export function truncateText(text: string, max: number): string {
  if (text.length <= max) return text;
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(max - 1)) && /[\udc00-\udfff]/.test(text.charAt(max));
  return text.slice(0, isSplit ? max - 1 : max);
}

/**
 * Replaces each lone surrogate and each U+0000 with U+FFFD, so that the text can be stored. For messages about data,
 * never for the data itself.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
