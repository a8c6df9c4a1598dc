/** Percent-encoding with the rules of Go's `net/url`, which differ per part of a URL. */

const MALFORMED = /%(?![0-9A-Fa-f]{2})[^]{0,2}/;
const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g;

/** A part of a URL, which determines the characters that need no escape. */
export type UrlPart = "path" | "host" | "user" | "fragment";

const SAFE: Readonly<Record<UrlPart, RegExp>> = {
  path: /[A-Za-z0-9\-_.~$&+,/:;=@]/,
  host: /[A-Za-z0-9\-_.~!"$&'()*+,:;<=>[\]]/,
  user: /[A-Za-z0-9\-_.~$&+,;=]/,
  fragment: /[A-Za-z0-9\-_.~!$&()*+,/:;=?@]/,
};

/** Characters that are kept if already unescaped, although they are escaped when encoded. */
const KEPT: Readonly<Record<"path" | "fragment", RegExp>> = {
  path: /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/,
  fragment: /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%?]*$/,
};

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reports whether the character needs no escape in that part. */
export function isSafe(character: string, part: UrlPart): boolean {
  return SAFE[part].test(character);
}

/**
 * Returns the first `%` that is not followed by two hexadecimal digits, with the next characters; undefined if there is
 * none.
 */
export function malformedEscape(text: string): string | undefined {
  return MALFORMED.exec(text)?.[0];
}

/** Decodes all escapes; invalid UTF-8 becomes U+FFFD. `text` must be well-formed. */
export function unescapePercent(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(ESCAPES, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split("%"), (hex) => Number.parseInt(hex, 16));
    return UTF8.decode(bytes);
  });
}

/** Escapes exactly the bytes that need it in that part. `text` must be well-formed. */
export function normalizePercent(text: string, part: UrlPart): string {
  return text.toWellFormed().replace(/%([0-9A-Fa-f]{2})|[^]/gu, (match: string, hex: string | undefined) => {
    const character = hex === undefined ? match : String.fromCharCode(Number.parseInt(hex, 16));
    if (isSafe(character, part)) return character;
    return hex === undefined ? encodeCharacter(match) : `%${hex.toUpperCase()}`;
  });
}

/** Returns the text unchanged if it needs no escape, else its normal form. `text` must be well-formed. */
export function encodeIfNeeded(text: string, part: "path" | "fragment"): string {
  return KEPT[part].test(text) ? text : normalizePercent(text, part);
}

/** Escapes every byte of a character; `encodeURIComponent` skips some ASCII characters. */
function encodeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x80) return encodeURIComponent(character);
  return `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
}
