/** CEL expressions of tasks, with adapter-specific functions. Begin with `expression.ts`. */

export { Expression, ExpressionCompiler, ExpressionError } from "./expression.ts";
export type { EvaluationResult } from "./expression.ts";
