import type { TemplateValue } from "./template-value.ts";

/** A node of a template. */
export type TemplateNode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "print"; readonly pipeline: Pipeline }
  | { readonly kind: "if" | "with"; readonly branch: Branch }
  | { readonly kind: "range"; readonly branch: Branch }
  | { readonly kind: "break" | "continue" };

/** A conditional node. */
export interface Branch {
  readonly pipeline: Pipeline;
  readonly body: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[];
}

/**
 * A pipeline: each command gets the value of the previous one as its last argument. The result may be assigned to
 * variables.
 */
export interface Pipeline {
  readonly line: number;
  readonly variables: readonly string[];
  readonly isAssignment: boolean;
  readonly commands: readonly TemplateCommand[];
}

/** An operand, or a function with its arguments. */
export interface TemplateCommand {
  readonly operands: readonly TemplateOperand[];
}

/** An operand of a command. `path` is looked up in its value. */
export type TemplateOperand =
  | { readonly kind: "literal"; readonly value: TemplateValue }
  | { readonly kind: "dot"; readonly path: readonly string[] }
  | { readonly kind: "variable"; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: "function"; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: "group"; readonly pipeline: Pipeline; readonly path: readonly string[] };
