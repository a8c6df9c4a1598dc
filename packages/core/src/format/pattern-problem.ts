/** Error messages of Kubernetes for invalid strings. */

/**
 * Returns the length in UTF-8 bytes, the unit of the limits in k8s.io/apimachinery/pkg/util/validation/validation.go.
 */
export function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/**
 * Returns the message for a text that does not match, with the regex, as `RegexError` in
 * k8s.io/apimachinery/pkg/util/validation/validation.go.
 */
export function patternProblem(rule: string, pattern: string, examples: readonly string[]): string {
  return `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(" or ")}regex used for validation is '${pattern}')`;
}
