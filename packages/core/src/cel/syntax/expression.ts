import type { CelValue } from "../value/index.ts";

/**
 * An expression as a tree. Operators are calls under CEL's names (`_+_`, `_?_:_`, `_[_]`); `_&&_` and `_||_` take any number
 * of arguments, so that long chains are flat. Macros have nodes of their own instead of an expansion into folds: they
 * check, cost and run the same, and faster. `at` is an offset in the text.
 */
export type Expr =
  | { readonly kind: "literal"; readonly at: number; readonly value: CelValue }
  /** A name; with a leading dot it is looked up from the root, past local variables and the container. */
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
      /** `optFlatMap`: the body is an optional itself. */
      readonly flat: boolean;
    };

/** A macro that runs over a list or a map. */
export interface FoldExpr {
  readonly kind: "fold";
  readonly at: number;
  readonly fold: FoldKind;
  readonly range: Expr;
  /** One variable: the element or key. Two: index and element, or key and value. */
  readonly variables: readonly [string] | readonly [string, string];
  /** What an element must satisfy to take part. */
  readonly filter: Expr | undefined;
  readonly body: Expr;
}

/** What a fold makes of its elements. */
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

/** An element of a list literal; an optional one is left out when absent. */
export interface ListItem {
  readonly value: Expr;
  readonly optional: boolean;
}

/** An entry of a map literal; an optional one is left out when absent. */
export interface MapEntry {
  readonly at: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

/** A field of an object literal; an optional one is left unset when absent. */
export interface StructField {
  readonly at: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

/** The dotted name that a chain of selections spells, if it is one: `a.b.c`. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.mode !== "value") return undefined;
  const operand = qualifiedName(expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}

/** The parts of an expression that are expressions. */
export function children(expr: Expr): readonly Expr[] {
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

/** An expression inside of this one that is deeper than `depthMax` levels, if there is one. Does not recurse. */
export function tooDeep(expr: Expr, depthMax: number): Expr | undefined {
  const pending: { readonly node: Expr; readonly depth: number }[] = [{ node: expr, depth: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, depth } = next;
    if (depth > depthMax) return node;
    for (const child of children(node)) pending.push({ node: child, depth: depth + 1 });
  }
  return undefined;
}
