import type { ObjectNode } from "@levelset/operator";
import { explainLines } from "@levelset/operator/internal";
import type { ExplainLinesOptions } from "@levelset/operator/internal";
import { formatStyled } from "../terminal/index.ts";

/** Options of {@link explainText}. */
export interface ExplainTextOptions extends ExplainLinesOptions {
  readonly colors: boolean;
}

/** Formats an explanation as a tree: subjects on the left, explanations on the right. */
export function explainText(node: ObjectNode, options: ExplainTextOptions): string {
  return explainLines(node, options)
    .map((line) => `${line.map((text) => formatStyled(text, options.colors)).join("")}\n`)
    .join("");
}
