import type { JsonObject } from "@levelset/core";
import { formatStyled } from "../terminal/index.ts";
import type { StyledText } from "../terminal/index.ts";
import { objectDiff } from "./object-diff.ts";
import { refText } from "./ref-text.ts";
import type { ShownRef } from "./ref-text.ts";

/**
 * Formats the diff of two states of an object with a header, after an empty line. Empty if they are equal. Secrets must
 * be masked already.
 */
export function objectDiffText(
  ref: ShownRef,
  { before, after }: { readonly before: JsonObject | undefined; readonly after: JsonObject | undefined },
  colors: boolean,
): readonly string[] {
  const lines = objectDiff(before, after);
  if (lines.length === 0) return [];
  const name = refText(ref);
  const head: readonly StyledText[] = [
    { text: `--- ${before === undefined ? "/dev/null" : `${name} (now)`}`, style: "strong" },
    { text: `+++ ${after === undefined ? "/dev/null" : `${name} (planned)`}`, style: "strong" },
  ];
  return ["", ...[...head, ...lines].map((span) => formatStyled({ ...span, text: escapeLine(span.text) }, colors))];
}

/** Escapes control characters but keeps the indentation. */
function escapeLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
