import { styleText } from "node:util";
import type { StyledText } from "@levelset/core/internal";

const FORMATS = { good: "green", bad: "red", busy: "yellow", faint: "dim", strong: "bold" } as const;

/** Formats text with ANSI colours, or plain. */
export function formatStyled({ text, style }: StyledText, colors: boolean): string {
  if (!colors || style === "plain") return text;
  return styleText(FORMATS[style], text, { validateStream: false });
}
