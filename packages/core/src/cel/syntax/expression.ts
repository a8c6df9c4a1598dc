import type { CelValue } from "../value/index.ts";

/**
 * A syntax tree. Operators are calls under CEL's names (`_+_`, `_?_:_`, `_[_]`); `_&&_` and `_||_` take any number of
 * arguments, so that long chains are flat. Macros have their own nodes instead of an expansion into folds, with the
 * same types, cost and results. `at` is an offset in the text.
 */
export type Expr =
  | { readonly kind: "literal"; readonly at: number; readonly value: CelValue }
  /** A name. With a leading dot it is resolved from the root, skipping local variables and the container. */
  | { readonly kind: "ident"; readonly at: number; readonly name: string }
  | {
      readonly kind: "select";
      readonly at: number;
      readonly operand: Expr;
      readonly field: string;
      /** `a.b`, `has(a.b)`, `a.?b`. */
      readonly mode: "value" | "test" | "optional";
    }
  | {
      readonly kind: "call";
      readonly at: number;
      readonly name: string;
      readonly target: Expr | undefined;
      readonly args: readonly Expr[];
    }
  | { readonly kind: "list"; readonly at: number; readonly items: readonly ListItem[] }
  | { readonly kind: "map"; readonly at: number; readonly entries: readonly MapEntry[] }
  | { readonly kind: "struct"; readonly at: number; readonly type: string; readonly fields: readonly StructField[] }
  | FoldExpr
  | { readonly kind: "bind"; readonly at: number; readonly name: string; readonly value: Expr; readonly body: Expr }
  | {
      readonly kind: "optMap";
      readonly at: number;
      readonly target: Expr;
      readonly name: string;
      readonly body: Expr;
      /** `optFlatMap`: the body returns an optional. */
      readonly flat: boolean;
    };

/** A macro over a list or a map. */
export interface FoldExpr {
  readonly kind: "fold";
  readonly at: number;
  readonly fold: FoldKind;
  readonly range: Expr;
  /** One variable: the element or key. Two: index and element, or key and value. */
  readonly variables: readonly [string] | readonly [string, string];
  /** The filter of the elements. */
  readonly filter: Expr | undefined;
  readonly body: Expr;
}

/** How a fold combines its elements. */
export type FoldKind =
  | "all"
  | "exists"
  | "existsOne"
  | "map"
  | "filter"
  | "transformList"
  | "transformMap"
  | "transformMapEntry"
  | "sortBy";

/** An element of a list literal; an absent optional is omitted. */
export interface ListItem {
  readonly value: Expr;
  readonly optional: boolean;
}

/** An entry of a map literal; an absent optional is omitted. */
export interface MapEntry {
  readonly at: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

/** A field of an object literal; an absent optional stays unset. */
export interface StructField {
  readonly at: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

/** Returns the dotted name of a chain of selections, if it is one: `a.b.c`. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.mode !== "value") return undefined;
  const operand = qualifiedName(expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}

/** Returns the subexpressions. */
export function childExprs(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "literal":
    case "ident":
      return [];
    case "select":
      return [expr.operand];
    case "call":
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case "list":
      return expr.items.map(({ value }) => value);
    case "map":
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case "struct":
      return expr.fields.map(({ value }) => value);
    case "fold":
      return expr.filter === undefined ? [expr.range, expr.body] : [expr.range, expr.filter, expr.body];
    case "bind":
      return [expr.value, expr.body];
    case "optMap":
      return [expr.target, expr.body];
    default:
      return expr satisfies never;
  }
}

/** Returns a subexpression deeper than `depthMax` levels, if any. Not recursive. */
export function findTooDeepExpr(expr: Expr, depthMax: number): Expr | undefined {
  const pending: { readonly node: Expr; readonly depth: number }[] = [{ node: expr, depth: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, depth } = next;
    if (depth > depthMax) return node;
    for (const child of childExprs(node)) pending.push({ node: child, depth: depth + 1 });
  }
  return undefined;
}
