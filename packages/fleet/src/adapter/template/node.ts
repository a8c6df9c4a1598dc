import type { TemplateValue } from "./value.ts";

/** A part of a template. */
export type TemplateNode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "print"; readonly pipeline: Pipeline }
  | { readonly kind: "if" | "with"; readonly branch: Branch }
  | { readonly kind: "range"; readonly branch: Branch }
  | { readonly kind: "break" | "continue" };

/** A part of a template that depends on a value. */
export interface Branch {
  readonly pipeline: Pipeline;
  readonly body: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[];
}

/** Commands, each of which gets the value of the one before as its last argument; perhaps kept in variables. */
export interface Pipeline {
  readonly line: number;
  readonly variables: readonly string[];
  readonly isAssignment: boolean;
  readonly commands: readonly Command[];
}

/** An operand, or a function with its arguments. */
export interface Command {
  readonly operands: readonly Operand[];
}

/** What a command is made of. `path` is what is looked up in it. */
export type Operand =
  | { readonly kind: "literal"; readonly value: TemplateValue }
  | { readonly kind: "dot"; readonly path: readonly string[] }
  | { readonly kind: "variable"; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: "function"; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: "group"; readonly pipeline: Pipeline; readonly path: readonly string[] };
