/** Percent-encoding with the rules of Go's `net/url`, which differ from part to part of a URL. */

const MALFORMED = /%(?![0-9A-Fa-f]{2})[^]{0,2}/;
const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g;

/** What may stand in a part of a URL as it is. */
export type UrlPart = "path" | "host" | "user" | "fragment";

const SAFE: Readonly<Record<UrlPart, RegExp>> = {
  path: /[A-Za-z0-9\-_.~$&+,/:;=@]/,
  host: /[A-Za-z0-9\-_.~!"$&'()*+,:;<=>[\]]/,
  user: /[A-Za-z0-9\-_.~$&+,;=]/,
  fragment: /[A-Za-z0-9\-_.~!$&()*+,/:;=?@]/,
};

/** What may stand in a part without its being written anew, though it would be escaped then. */
const KEPT: Readonly<Record<"path" | "fragment", RegExp>> = {
  path: /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/,
  fragment: /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%?]*$/,
};

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Whether the character may stand in that part as it is. */
export function isSafe(character: string, part: UrlPart): boolean {
  return SAFE[part].test(character);
}

/** The first `%` that two hexadecimal digits do not follow, with what does; undefined if there is none. */
export function malformedEscape(text: string): string | undefined {
  return MALFORMED.exec(text)?.[0];
}

/** The text with all escapes resolved; those that are no UTF-8 become U+FFFD. `text` must be well-formed. */
export function unescapePercent(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(ESCAPES, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split("%"), (hex) => Number.parseInt(hex, 16));
    return UTF8.decode(bytes);
  });
}

/** The text with exactly those bytes escaped that need it in that part. `text` must be well-formed. */
export function normalizePercent(text: string, part: UrlPart): string {
  return text.toWellFormed().replace(/%([0-9A-Fa-f]{2})|[^]/gu, (match: string, hex: string | undefined) => {
    const character = hex === undefined ? match : String.fromCharCode(Number.parseInt(hex, 16));
    if (isSafe(character, part)) return character;
    return hex === undefined ? encodeCharacter(match) : `%${hex.toUpperCase()}`;
  });
}

/** The text as it is if nothing in it needs an escape, and else in its normal form. `text` must be well-formed. */
export function keepPercent(text: string, part: "path" | "fragment"): string {
  return KEPT[part].test(text) ? text : normalizePercent(text, part);
}

/** Every byte of a character escaped: `encodeURIComponent` leaves some of ASCII alone. */
function encodeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x80) return encodeURIComponent(character);
  return `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
}
