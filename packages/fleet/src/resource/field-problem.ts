/** A problem with one field of a request. The names are those of `errors[]` on the wire. */
export interface FieldProblem {
  /** Path of the field: `spec.nodes[0].size`. */
  readonly field: string;
  readonly message: string;
  /** The rejected value, where showing it helps. */
  readonly value?: string;
  readonly constraint?: "min" | "max" | "format" | "required";
}
