const FENCE = /^[^\S\n]*(`{3,}|~{3,})[^\n]*\n[^]*?(?:^[^\S\n]*\1[`~]*[^\S\n]*$|(?![^]))/gm;

/** The text of a document without its blocks of code. Offsets stay. */
export function withoutBlocks(text: string): string {
  return blankOut(text, FENCE);
}

/** Replaces all but line ends with blanks, so that offsets stay. */
export function blankOut(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (match) => match.replaceAll(/[^\n]/g, " "));
}
