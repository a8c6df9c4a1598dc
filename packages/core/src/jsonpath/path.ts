/**
 * The JSONPath dialect of Kubernetes (docs: JSONPath Support): paths of printer columns, `-o jsonpath` and selectable
 * fields, without templates (`range`, text between braces). A path is a list of steps. Each step maps a list of values
 * to another list, starting with the document. A value without a match is dropped without an error.
 */

/** A compiled path; `text` is its source. */
export interface JsonPath {
  readonly text: string;
  readonly steps: readonly PathStep[];
}

/** A step of a path. */
export type PathStep =
  /** `.a` or `['a']`: a member. */
  | { readonly kind: "field"; readonly name: string }
  /** `['a.b']`: the member `a.b`, or else the member `b` of the member `a`. */
  | { readonly kind: "key"; readonly name: string; readonly parts: readonly string[] }
  /** `.*`: all members of an object or elements of an array. */
  | { readonly kind: "wildcard" }
  /** `[2]`, `[-1]`: an element, counted from the end when negative. */
  | { readonly kind: "index"; readonly index: number }
  /** `[1:3]`, `[::2]`, `[*]`: elements from `start` to `end`, exclusive. */
  | { readonly kind: "slice"; readonly start: number; readonly end: number | undefined; readonly stride: number }
  /** `..`: the value and all descendants that are not empty. */
  | { readonly kind: "descend" }
  /** `[?(…)]`: the elements of an array that match the filter. */
  | { readonly kind: "filter"; readonly filter: PathFilter }
  /** `[0,2]`, `['a','b']`: the results of all steps, in order. */
  | { readonly kind: "union"; readonly steps: readonly PathStep[] };

/** A condition on an element. */
export type PathFilter =
  | { readonly kind: "exists"; readonly steps: readonly PathStep[] }
  | {
      readonly kind: "compare";
      readonly left: PathOperand;
      readonly operator: PathOperator;
      readonly right: PathOperand;
    };

/** Comparison operators of a filter. */
export type PathOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** One side of a comparison: a literal, or a path relative to the element. */
export type PathOperand =
  | { readonly kind: "literal"; readonly value: string | number | bigint | boolean }
  | { readonly kind: "path"; readonly steps: readonly PathStep[] };
