/**
 * JSONPath as Kubernetes has it: the paths of printer columns, of `-o jsonpath` and of selectable fields, without
 * templates (`range`, text between braces). A path is a list of steps; each turns a list of values into another list,
 * beginning with the document alone. A step that finds nothing in a value drops the value: nothing is an error.
 */

/** A compiled path; `text` is what it was compiled from. */
export interface JsonPath {
  readonly text: string;
  readonly steps: readonly PathStep[];
}

/** One step from values to values. */
export type PathStep =
  /** `.a` or `['a']`: a member. */
  | { readonly kind: "field"; readonly name: string }
  /** `['a.b']`: the member `a.b`; in an object without one, the member `b` of the member `a`, as Kubernetes reads it. */
  | { readonly kind: "key"; readonly name: string; readonly parts: readonly string[] }
  /** `.*`: all members of an object or elements of an array. */
  | { readonly kind: "wildcard" }
  /** `[2]`, `[-1]`: an element, counted from the end when negative. */
  | { readonly kind: "index"; readonly index: number }
  /** `[1:3]`, `[::2]`, `[*]`: elements from `start` up to and without `end`. */
  | { readonly kind: "slice"; readonly start: number; readonly end: number | undefined; readonly stride: number }
  /** `..`: the value and all below it, those without content excepted. */
  | { readonly kind: "descend" }
  /** `[?(…)]`: the elements of an array for which the filter holds. */
  | { readonly kind: "filter"; readonly filter: PathFilter }
  /** `[0,2]`, `['a','b']`: what any of the steps finds, step by step. */
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

/** How a filter compares. */
export type PathOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** One side of a comparison: a literal, or what a path finds in the element. */
export type PathOperand =
  | { readonly kind: "literal"; readonly value: string | number | bigint | boolean }
  | { readonly kind: "path"; readonly steps: readonly PathStep[] };
