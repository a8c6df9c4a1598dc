import type { CelValue } from "../value/index.ts";

/** A word of an expression. Names in backticks are `quoted`. */
export type Token =
  | { readonly kind: "name" | "quoted" | "sign" | "end"; readonly at: number; readonly text: string }
  | { readonly kind: "literal"; readonly at: number; readonly text: string; readonly value: CelValue }
  /** A number without its sign, which may stand before it. */
  | { readonly kind: "number"; readonly at: number; readonly text: string };

/** Words that are kept for other languages that embed CEL. They may follow a dot. */
export const RESERVED: ReadonlySet<string> = new Set([
  "as",
  "break",
  "const",
  "continue",
  "else",
  "for",
  "function",
  "if",
  "import",
  "let",
  "loop",
  "package",
  "namespace",
  "return",
  "var",
  "void",
  "while",
]);
