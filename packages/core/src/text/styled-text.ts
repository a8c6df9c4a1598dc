/** Style of a text, on a terminal or a page. */
export type TextStyle = "plain" | "good" | "bad" | "busy" | "faint" | "strong";

/** A text with its style. */
export interface StyledText {
  readonly text: string;
  readonly style: TextStyle;
}

/** Replaces control characters in untrusted text, so that it cannot control the terminal. */
export function escapeControlChars(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/** Wraps text at `width`, between words; a longer word gets its own line. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
