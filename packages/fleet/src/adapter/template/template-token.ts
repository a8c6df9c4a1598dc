/** A token of an action, with its line. `isSpaced`: preceded by a space, which separates operands. */
export interface TemplateToken {
  readonly kind: TokenKind;
  readonly text: string;
  readonly line: number;
  readonly isSpaced: boolean;
}

/** Token kinds. A `string` carries its value, all others the source text. */
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

/** A segment of a template: literal text, or an action between braces. */
export type TemplateSegment =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "action"; readonly tokens: readonly TemplateToken[]; readonly line: number };
