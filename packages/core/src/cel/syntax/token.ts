import type { CelValue } from "../value/index.ts";

/** A token of an expression. Names in backticks are `quoted`. */
export type CelToken =
  | { readonly kind: "name" | "quoted" | "sign" | "end"; readonly at: number; readonly text: string }
  | { readonly kind: "literal"; readonly at: number; readonly text: string; readonly value: CelValue }
  /** A number without its sign. */
  | { readonly kind: "number"; readonly at: number; readonly text: string };

/** Reserved words. They are allowed after a dot. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
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
