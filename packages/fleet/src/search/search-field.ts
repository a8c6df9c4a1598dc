import { COLUMNS, isColumn, SEARCH_COMPARISONS } from "./search-tree.ts";
import type { SearchComparison, ConditionPart, SearchField, SearchPredicate } from "./search-tree.ts";

/** Literal types that a field is compared with. `any` depends on the literal. */
export type FieldType = "text" | "number" | "time" | "any";

const PARTS: Readonly<Record<string, ConditionPart>> = {
  last_updated_time: "last_updated_time",
  last_transition_time: "last_transition_time",
  observed_generation: "observed_generation",
};

const LABEL_KEY = /^[A-Za-z0-9][A-Za-z0-9_./-]*$/;
const SPEC_KEY = /^[A-Za-z0-9_-]+$/;
const CONDITION_TYPE = /^[A-Z][A-Za-z0-9]*$/;

/** Returns the field of that name, or the error message. */
export function parseSearchField(name: string): SearchField | string {
  if (isColumn(name)) return { kind: "column", column: name };
  const [first, ...path] = name.split(".");
  switch (first) {
    case "labels":
      return labelField(name.slice("labels.".length));
    case "spec":
      return path.length > 0 && path.every((key) => SPEC_KEY.test(key)) ? { kind: "spec", path } : unknownField(name);
    case "status":
      return path[0] === "conditions" ? conditionField(path.slice(1)) : unknownField(name);
    default:
      return unknownField(name);
  }
}

function unknownField(name: string): string {
  return `${name} is not a valid field name`;
}

function labelField(key: string): SearchField | string {
  if (key === "") return "label key cannot be empty";
  return LABEL_KEY.test(key) ? { kind: "label", key } : `label key '${key}' is invalid`;
}

function conditionField([type = "", part, ...more]: readonly string[]): SearchField | string {
  if (type === "") return "condition type cannot be empty";
  if (!CONDITION_TYPE.test(type)) {
    return `condition type '${type}' is invalid: must be PascalCase (e.g., Ready, Available)`;
  }
  if (part === undefined) return { kind: "condition", type, part: "status" };
  const known = more.length === 0 && Object.hasOwn(PARTS, part) ? PARTS[part] : undefined;
  if (known !== undefined) return { kind: "condition", type, part: known };
  return `condition subfield '${[part, ...more].join(".")}' is not supported: use ${Object.keys(PARTS).join(", ")}`;
}

/** Returns a field in the notation of the search language. */
export function fieldName(field: SearchField): string {
  switch (field.kind) {
    case "column":
      return field.column;
    case "label":
      return `labels.${field.key}`;
    case "spec":
      return `spec.${field.path.join(".")}`;
    case "condition":
      return `status.conditions.${field.type}${field.part === "status" ? "" : `.${field.part}`}`;
    default:
      return field satisfies never;
  }
}

/** Returns the literal type of a field. */
export function fieldType(field: SearchField): FieldType {
  switch (field.kind) {
    case "column":
      return COLUMNS[field.column].type;
    case "label":
      return "text";
    case "spec":
      return "any";
    case "condition":
      if (field.part === "status") return "text";
      return field.part === "observed_generation" ? "number" : "time";
    default:
      return field satisfies never;
  }
}

/** Returns why an operator cannot be used with a field; undefined if it can. */
export function operatorProblem(
  field: SearchField,
  operator: SearchComparison | Exclude<SearchPredicate["kind"], "compare">,
): string | undefined {
  const name = fieldName(field);
  if (field.kind === "condition") {
    if (field.part === "status") {
      return operator === "=" ? undefined : `only the operator = is supported for ${name}, not ${operator}`;
    }
    const isComparison = SEARCH_COMPARISONS.some((comparison) => comparison === operator);
    return isComparison ? undefined : `only comparisons are supported for ${name}, not ${operator}`;
  }
  const type = fieldType(field);
  return operator === "like" && type !== "text" && type !== "any"
    ? `${name} is not a string: like cannot be used`
    : undefined;
}

/** Returns why a field cannot be used under `not`; undefined if it can. */
export function notProblem(field: SearchField): string | undefined {
  if (field.kind !== "condition" && field.kind !== "label") return undefined;
  return `not cannot be used with ${fieldName(field)}: search for the opposite instead`;
}
