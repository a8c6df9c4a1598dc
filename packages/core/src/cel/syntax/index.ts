/** Parsing and unparsing of expressions. Begin with `parser.ts`. */

export { childExprs, qualifiedName } from "./expression.ts";
export type { Expr, FoldExpr, FoldKind, ListItem, MapEntry, StructField } from "./expression.ts";
export {
  BIND_MACROS,
  OPTIONAL_MACROS,
  SORT_MACROS,
  STANDARD_MACROS,
  TWO_VARIABLE_MACROS,
  macroKey,
  variableName,
} from "./macro.ts";
export type { Macro, MacroCall, MacroTable } from "./macro.ts";
export { parse } from "./parser.ts";
export type { SyntaxLimits } from "./parser.ts";
export { unparse } from "./unparse.ts";
export { CelSyntaxError } from "./syntax-error.ts";
