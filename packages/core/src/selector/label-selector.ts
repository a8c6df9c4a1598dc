/**
 * Label selectors. All requirements must match; negative ones (`!=`, `notin`, `!key`) match objects without the key. An
 * empty list selects everything. An absent selector selects nothing; it is a separate case without a text form, because
 * the empty string selects everything (docs: Labels and Selectors).
 */
import { compareCodeUnits } from "../json/index.ts";
import { SelectorError } from "./selector-error.ts";

/** A condition on one label. */
export type LabelRequirement =
  | { readonly key: string; readonly operator: "exists" | "absent" }
  | { readonly key: string; readonly operator: "=" | "==" | "!="; readonly value: string }
  | { readonly key: string; readonly operator: "<" | ">"; readonly value: string }
  | { readonly key: string; readonly operator: "in" | "notin"; readonly values: readonly string[] };

/** Selects the labels that meet all `requirements`, sorted by key, or no labels at all. */
export type LabelSelector =
  | { readonly kind: "all-of"; readonly requirements: readonly LabelRequirement[] }
  | { readonly kind: "nothing" };

/** The labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Reports whether an object with these labels is selected. Undefined counts as no labels. */
export function matchesLabelSelector(selector: LabelSelector, labels: Labels | undefined): boolean {
  if (selector.kind === "nothing") return false;
  return selector.requirements.every((requirement) => meets(requirement, labels ?? {}));
}

/**
 * Formats a selector for `parseLabelSelector`. Throws a `SelectorError` for the selector that matches nothing, which
 * has no text form.
 */
export function formatLabelSelector(selector: LabelSelector): string {
  if (selector.kind === "nothing") throw new SelectorError("a label selector that matches nothing has no text form");
  return selector.requirements.map(formatRequirement).join(",");
}

/** Returns a selector of these valid requirements, sorted by keys and values. */
export function selectorOfRequirements(requirements: readonly LabelRequirement[]): LabelSelector {
  const sorted = requirements.map(sortValues).toSorted((a, b) => compareCodeUnits(a.key, b.key));
  return { kind: "all-of", requirements: sorted };
}

/** Returns the integer value of a label for `<` and `>`; undefined if it is not a 64-bit integer. */
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
