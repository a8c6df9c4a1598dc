export { EXPRESSION_COST_MAX, Expression, ExpressionCompiler, ExpressionError } from "./expression.ts";
export type { Evaluated } from "./expression.ts";
