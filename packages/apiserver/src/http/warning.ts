/** Beyond this many characters in total, each warning is cut short, and later ones are dropped. */
const TOTAL_MAX = 4096;
const CUT_LENGTH = 256;

/** The values of the `Warning` headers that say these texts: each once, and all together no longer than a header should be. */
export function warningHeaders(texts: readonly string[]): readonly string[] {
  // A text with control characters cannot be sent, and is left out as the real server does it.
  const known = [...new Set(texts)].filter((text) => !/\p{Cc}/u.test(text)).map((text) => Array.from(text));
  const total = known.reduce((sum, text) => sum + text.length, 0);
  if (total <= TOTAL_MAX) return known.map((text) => headerValue(text.join("")));
  const cut: string[] = [];
  let written = 0;
  for (const text of known) {
    if (written >= TOTAL_MAX) break;
    const short = text.slice(0, CUT_LENGTH);
    written += short.length;
    cut.push(headerValue(short.join("")));
  }
  return cut;
}

/** 299 says "miscellaneous", the dash names no agent. Headers carry bytes: those of UTF-8, each as one character. */
function headerValue(text: string): string {
  const quoted = text.replaceAll(/["\\]/gu, String.raw`\$&`);
  return `299 - "${Buffer.from(quoted, "utf8").toString("latin1")}"`;
}
