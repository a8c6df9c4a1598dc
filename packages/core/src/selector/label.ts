/**
 * Selection by label, with the semantics of Kubernetes. A selector is a list of requirements which must all hold;
 * negative ones (`!=`, `notin`, `!key`) hold for objects that lack the key. An empty list selects everything. An absent
 * selector selects nothing, which is why it is a case of its own: it has no text, and the empty text means the opposite.
 */
import { compareTexts } from "../json/index.ts";
import { SelectorError } from "./error.ts";

/** A condition on one label. */
export type LabelRequirement =
  | { readonly key: string; readonly operator: "exists" | "absent" }
  | { readonly key: string; readonly operator: "=" | "==" | "!="; readonly value: string }
  | { readonly key: string; readonly operator: "<" | ">"; readonly value: string }
  | { readonly key: string; readonly operator: "in" | "notin"; readonly values: readonly string[] };

/** Which labels are selected: those that meet all `requirements`, or none at all. Requirements are sorted by key. */
export type LabelSelector =
  | { readonly kind: "all-of"; readonly requirements: readonly LabelRequirement[] }
  | { readonly kind: "nothing" };

/** The labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Whether an object with these labels is selected. An object without labels is one with none. */
export function matchLabels(selector: LabelSelector, labels: Labels | undefined): boolean {
  if (selector.kind === "nothing") return false;
  return selector.requirements.every((requirement) => meets(requirement, labels ?? {}));
}

/**
 * The text that `parseLabelSelector` reads as this selector. Throws a `SelectorError` for the selector that matches
 * nothing: it has no text, and an empty one would select everything.
 */
export function formatLabelSelector(selector: LabelSelector): string {
  if (selector.kind === "nothing") throw new SelectorError("a label selector that matches nothing has no text form");
  return selector.requirements.map(formatRequirement).join(",");
}

/** A selector of these requirements, in the canonical order of keys and values. They must be valid. */
export function allOf(requirements: readonly LabelRequirement[]): LabelSelector {
  const sorted = requirements.map(sortValues).toSorted((a, b) => compareTexts(a.key, b.key));
  return { kind: "all-of", requirements: sorted };
}

/** The integer that a label value is for `<` and `>`; undefined when it is no 64-bit integer. */
export function labelInteger(text: string): bigint | undefined {
  if (!/^[+-]?0*\d{1,19}$/.test(text)) return undefined;
  const integer = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, integer) === integer ? integer : undefined;
}

function meets(requirement: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
  switch (requirement.operator) {
    case "exists":
      return value !== undefined;
    case "absent":
      return value === undefined;
    case "=":
    case "==":
      return value === requirement.value;
    case "!=":
      return value !== requirement.value;
    case "in":
      return value !== undefined && requirement.values.includes(value);
    case "notin":
      return value === undefined || !requirement.values.includes(value);
    case "<":
    case ">":
      return value !== undefined && isOrdered(value, requirement.operator, requirement.value);
    default:
      return requirement satisfies never;
  }
}

function isOrdered(left: string, operator: "<" | ">", right: string): boolean {
  const a = labelInteger(left);
  const b = labelInteger(right);
  if (a === undefined || b === undefined) return false;
  return operator === "<" ? a < b : a > b;
}

function formatRequirement(requirement: LabelRequirement): string {
  switch (requirement.operator) {
    case "exists":
      return requirement.key;
    case "absent":
      return `!${requirement.key}`;
    case "in":
    case "notin":
      return `${requirement.key} ${requirement.operator} (${requirement.values.join(",")})`;
    case "=":
    case "==":
    case "!=":
    case "<":
    case ">":
      return `${requirement.key}${requirement.operator}${requirement.value}`;
    default:
      return requirement satisfies never;
  }
}

function sortValues(requirement: LabelRequirement): LabelRequirement {
  if (requirement.operator !== "in" && requirement.operator !== "notin") return requirement;
  return { ...requirement, values: [...new Set(requirement.values)].toSorted() };
}
