/** A word of an action, with the line it is on. `isSpaced`: there is a space before it, which separates operands. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly line: number;
  readonly isSpaced: boolean;
}

/** The kinds of words. A `string` carries its value, everything else what is written. */
export type TokenKind =
  | "field"
  | "dot"
  | "variable"
  | "name"
  | "string"
  | "char"
  | "number"
  | "pipe"
  | "open"
  | "close"
  | "declare"
  | "assign"
  | "comma"
  | "end";

/** A piece of a template: text as it stands, or an action between braces. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "action"; readonly tokens: readonly Token[]; readonly line: number };
