/** Something wrong with one field of what a client sent. The names are those of the wire's `errors[]`. */
export interface FieldProblem {
  /** The path of the field: `spec.nodes[0].size`. */
  readonly field: string;
  readonly message: string;
  /** What was sent, where showing it helps. */
  readonly value?: string;
  readonly constraint?: "min" | "max" | "format" | "required";
}
