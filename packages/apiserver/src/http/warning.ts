/**
 * Above this total number of characters, each warning is truncated and later ones are dropped
 * (`k8s.io/apiserver/pkg/endpoints/filters/warning.go`, Kubernetes 1.36).
 */
const TOTAL_MAX = 4096;
const CUT_LENGTH = 256;

/** Returns the values of the `Warning` headers: deduplicated and limited in total length. */
export function warningHeaders(texts: readonly string[]): readonly string[] {
  // Texts with control characters are dropped (`k8s.io/apimachinery/pkg/util/net/http.go`, Kubernetes 1.36).
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

/**
 * 299 is the code for miscellaneous warnings; the dash stands for an unnamed agent. Header strings are latin1, so each
 * UTF-8 byte becomes one character.
 */
function headerValue(text: string): string {
  const quoted = text.replaceAll(/["\\]/gu, String.raw`\$&`);
  return `299 - "${Buffer.from(quoted, "utf8").toString("latin1")}"`;
}
