export { Expression, ExpressionCompiler, ExpressionError } from "./expression.ts";
export type { Evaluated } from "./expression.ts";
