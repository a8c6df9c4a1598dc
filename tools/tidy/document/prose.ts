const FENCE = /^[^\S\n]*(`{3,}|~{3,})[^\n]*\n[^]*?(?:^[^\S\n]*\1[`~]*[^\S\n]*$|(?![^]))/gm;

/** Returns the text of a document with code blocks replaced by blanks. Offsets do not change. */
export function withoutBlocks(text: string): string {
  return blankOut(text, FENCE);
}

/** Replaces matches with blanks, except line ends, so that offsets do not change. */
export function blankOut(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (match) => match.replaceAll(/[^\n]/g, " "));
}
