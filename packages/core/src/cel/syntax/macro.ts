import type { Expr, FoldExpr, FoldKind } from "./expression.ts";
import { CelSyntaxError } from "./syntax-error.ts";

/** A call that may be a macro. */
export interface MacroCall {
  readonly at: number;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

/** Expands a macro; returns undefined if the call is an ordinary one. */
export type Macro = (call: MacroCall) => Expr | undefined;

/** Macros by `macroKey`. */
export type MacroTable = ReadonlyMap<string, Macro>;

/** Returns the key of a macro: its name, argument count, and whether it has a receiver. */
export function macroKey(name: string, argumentCount: number, hasTarget: boolean): string {
  return `${name}:${argumentCount}:${hasTarget ? "member" : "global"}`;
}

/** Returns an argument that must be a variable name. */
export function variableName(expr: Expr | undefined, call: MacroCall): string {
  if (expr?.kind === "ident" && !expr.name.startsWith(".")) return expr.name;
  throw new CelSyntaxError("argument must be a simple name", expr?.at ?? call.at);
}

const has: Macro = ({ at, args: [field] }) => {
  if (field?.kind === "select" && field.mode === "value") return { ...field, mode: "test" };
  throw new CelSyntaxError("invalid argument to has() macro", field?.at ?? at);
};

/** Parses a fold: `variables` names, an optional filter, and the body. */
function foldMacro(fold: FoldKind, variables: 1 | 2, hasFilter: boolean): Macro {
  return (call): FoldExpr | undefined => {
    const { at, target, args } = call;
    const filter = hasFilter ? args[variables] : undefined;
    const body = args[variables + (hasFilter ? 1 : 0)];
    if (target === undefined || body === undefined) return undefined;
    const first = variableName(args[0], call);
    if (variables === 1) return { kind: "fold", at, fold, range: target, variables: [first], filter, body };
    const second = variableName(args[1], call);
    if (first === second) throw new CelSyntaxError("the two variables must have different names", args[1]?.at ?? at);
    return { kind: "fold", at, fold, range: target, variables: [first, second], filter, body };
  };
}

function optMapMacro(flat: boolean): Macro {
  return (call) => {
    const { at, target, args } = call;
    const body = args[1];
    if (target === undefined || body === undefined) return undefined;
    return { kind: "optMap", at, target, name: variableName(args[0], call), body, flat };
  };
}

const bind: Macro = (call) => {
  const { at, target, args } = call;
  const [, value, body] = args;
  if (target?.kind !== "ident" || target.name !== "cel" || value === undefined || body === undefined) return undefined;
  return { kind: "bind", at, name: variableName(args[0], call), value, body };
};

/** The macros of the language itself. */
export const STANDARD_MACROS: MacroTable = new Map([
  [macroKey("has", 1, false), has],
  [macroKey("all", 2, true), foldMacro("all", 1, false)],
  [macroKey("exists", 2, true), foldMacro("exists", 1, false)],
  [macroKey("exists_one", 2, true), foldMacro("existsOne", 1, false)],
  [macroKey("existsOne", 2, true), foldMacro("existsOne", 1, false)],
  [macroKey("map", 2, true), foldMacro("map", 1, false)],
  [macroKey("map", 3, true), foldMacro("map", 1, true)],
  [macroKey("filter", 2, true), foldMacro("filter", 1, false)],
]);

/** Macros with two variables, for index and element or key and value. */
export const TWO_VARIABLE_MACROS: MacroTable = new Map([
  [macroKey("all", 3, true), foldMacro("all", 2, false)],
  [macroKey("exists", 3, true), foldMacro("exists", 2, false)],
  [macroKey("exists_one", 3, true), foldMacro("existsOne", 2, false)],
  [macroKey("existsOne", 3, true), foldMacro("existsOne", 2, false)],
  [macroKey("transformList", 3, true), foldMacro("transformList", 2, false)],
  [macroKey("transformList", 4, true), foldMacro("transformList", 2, true)],
  [macroKey("transformMap", 3, true), foldMacro("transformMap", 2, false)],
  [macroKey("transformMap", 4, true), foldMacro("transformMap", 2, true)],
  [macroKey("transformMapEntry", 3, true), foldMacro("transformMapEntry", 2, false)],
  [macroKey("transformMapEntry", 4, true), foldMacro("transformMapEntry", 2, true)],
]);

/** `cel.bind(name, value, body)`. */
export const BIND_MACROS: MacroTable = new Map([[macroKey("bind", 3, true), bind]]);

/** `optMap` and `optFlatMap`. */
export const OPTIONAL_MACROS: MacroTable = new Map([
  [macroKey("optMap", 2, true), optMapMacro(false)],
  [macroKey("optFlatMap", 2, true), optMapMacro(true)],
]);

/** `list.sortBy(x, key)`. */
export const SORT_MACROS: MacroTable = new Map([[macroKey("sortBy", 2, true), foldMacro("sortBy", 1, false)]]);
