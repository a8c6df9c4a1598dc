/** Expressions of tasks, in CEL with functions of their own. Begin with `expression.ts`. */

export { Expression, ExpressionCompiler, ExpressionError } from "./expression.ts";
export type { Evaluated } from "./expression.ts";
