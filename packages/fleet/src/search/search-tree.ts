/**
 * The search language as a typed tree. Built by `parseSearch`, or in code to add a filter. Logic is three-valued as in
 * SQL: a comparison with a missing value is neither true nor false.
 */
export type SearchNode =
  | { readonly kind: "and" | "or"; readonly of: readonly SearchNode[] }
  | { readonly kind: "not"; readonly of: SearchNode }
  | SearchPredicate;

/** A test of one field. */
export type SearchPredicate =
  | {
      readonly kind: "compare";
      readonly field: SearchField;
      readonly operator: SearchComparison;
      readonly value: SearchLiteral;
    }
  | {
      readonly kind: "in";
      readonly field: SearchField;
      readonly isNegated: boolean;
      /** All of one kind, at least one. */
      readonly values: readonly SearchLiteral[];
    }
  | {
      readonly kind: "between";
      readonly field: SearchField;
      readonly isNegated: boolean;
      readonly low: SearchLiteral;
      readonly high: SearchLiteral;
    }
  | {
      readonly kind: "like";
      readonly field: SearchField;
      readonly isNegated: boolean;
      readonly ignoresCase: boolean;
      readonly pattern: string;
    }
  | { readonly kind: "null"; readonly field: SearchField; readonly isNegated: boolean };

/** Signs of operators between a field and a literal. */
export const SEARCH_COMPARISONS = ["=", "!=", "<", "<=", ">", ">="] as const;

/** Operators between a field and a literal. */
export type SearchComparison = (typeof SEARCH_COMPARISONS)[number];

/** Operators that are words, in any case. */
export const SEARCH_WORDS = ["and", "or", "not", "in", "between", "like", "ilike", "is"] as const;

/** A word with a meaning in a search: an operator or a literal. */
export type SearchKeyword = (typeof SEARCH_WORDS)[number] | "null" | "true" | "false";

/** All words with a meaning in a search. A field name cannot be among them. */
export const SEARCH_KEYWORDS: readonly SearchKeyword[] = [...SEARCH_WORDS, "null", "true", "false"];

/** Searchable fields. */
export type SearchField =
  | { readonly kind: "column"; readonly column: Column }
  | { readonly kind: "label"; readonly key: string }
  | { readonly kind: "spec"; readonly path: readonly string[] }
  | { readonly kind: "condition"; readonly type: string; readonly part: ConditionPart };

/** Fields of a condition. */
export type ConditionPart = "status" | "last_updated_time" | "last_transition_time" | "observed_generation";

/** A literal of a search. Times are milliseconds since 1970, with a fraction for finer digits. */
export type SearchLiteral =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "time"; readonly ms: number }
  | { readonly kind: "bool"; readonly bool: boolean };

/** Columns of a resource with the literal types. */
export const COLUMNS = {
  id: { type: "text", isNullable: false },
  kind: { type: "text", isNullable: false },
  name: { type: "text", isNullable: false },
  href: { type: "text", isNullable: false },
  owner_id: { type: "text", isNullable: true },
  owner_kind: { type: "text", isNullable: true },
  generation: { type: "number", isNullable: false },
  created_by: { type: "text", isNullable: false },
  updated_by: { type: "text", isNullable: false },
  deleted_by: { type: "text", isNullable: true },
  created_time: { type: "time", isNullable: false },
  updated_time: { type: "time", isNullable: false },
  deleted_time: { type: "time", isNullable: true },
} as const;

/** Name of a column. */
export type Column = keyof typeof COLUMNS;

/** Returns whether a column of that name exists. */
export function isColumn(name: string): name is Column {
  return Object.hasOwn(COLUMNS, name);
}

/** Combines searches with AND; undefined matches everything. */
export function andSearch(...nodes: readonly (SearchNode | undefined)[]): SearchNode | undefined {
  const of = nodes.filter((node) => node !== undefined);
  return of.length > 1 ? { kind: "and", of } : of[0];
}
