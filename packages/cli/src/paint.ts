import { styleText } from "node:util";

/** How a piece of text is set off on a terminal. */
export type Style = "plain" | "good" | "bad" | "busy" | "faint" | "strong";

/** A piece of text and how it is set off. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

const FORMATS = { good: "green", bad: "red", busy: "yellow", faint: "dim", strong: "bold" } as const;

/** Text as a terminal shows it, or plain where there is none. */
export function paint({ text, style }: Span, colors: boolean): string {
  if (!colors || style === "plain") return text;
  return styleText(FORMATS[style], text, { validateStream: false });
}

/** One line of text that does no more to a terminal than to be shown: what objects say comes from anybody. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/** Text in lines of at most `width`, broken between words; a longer word has a line of its own. */
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
