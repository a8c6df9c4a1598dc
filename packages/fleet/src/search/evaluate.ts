import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { findResourceCondition } from "../resource/index.ts";
import type { Resource } from "../resource/index.ts";
import { isLike } from "./like.ts";
import type {
  Column,
  SearchComparison,
  SearchField,
  SearchLiteral,
  SearchNode,
  SearchPredicate,
} from "./search-tree.ts";

/** Returns whether a resource matches a search. Same result as the databases. */
export function matchesSearch(node: SearchNode | undefined, resource: Resource): boolean {
  return node === undefined || truth(node, resource) === true;
}

/** SQL's three-valued logic: undefined is neither true nor false. */
type Truth = boolean | undefined;

function truth(node: SearchNode, resource: Resource): Truth {
  switch (node.kind) {
    case "and":
      return conjunction(node.of.map((part) => truth(part, resource)));
    case "or":
      return negation(conjunction(node.of.map((part) => negation(truth(part, resource)))));
    case "not":
      return negation(truth(node.of, resource));
    default:
      return predicate(node, resource);
  }
}

function conjunction(parts: readonly Truth[]): Truth {
  if (parts.includes(false)) return false;
  return parts.includes(undefined) ? undefined : true;
}

function negation(value: Truth): Truth {
  return value === undefined ? undefined : !value;
}

function predicate(node: SearchPredicate, resource: Resource): Truth {
  switch (node.kind) {
    case "compare":
      return compared(valueOf(node.field, resource, node.value.kind), node.operator, node.value);
    case "in": {
      const value = valueOf(node.field, resource, node.values[0]?.kind ?? "text");
      const found = value === undefined ? undefined : node.values.some((one) => compared(value, "=", one) === true);
      return node.isNegated ? negation(found) : found;
    }
    case "between": {
      const value = valueOf(node.field, resource, node.low.kind);
      const found = conjunction([compared(value, ">=", node.low), compared(value, "<=", node.high)]);
      return node.isNegated ? negation(found) : found;
    }
    case "like": {
      const value = valueOf(node.field, resource, "text");
      const found = typeof value === "string" ? isLike(value, node.pattern, node.ignoresCase) : undefined;
      return node.isNegated ? negation(found) : found;
    }
    case "null":
      return isNull(node.field, resource) !== node.isNegated;
    default:
      return node satisfies never;
  }
}

type Value = string | number | bigint | boolean;

function compared(value: Value | undefined, operator: SearchComparison, literal: SearchLiteral): Truth {
  if (value === undefined) return undefined;
  const order = compareSearchValues(value, plain(literal));
  switch (operator) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    default:
      return operator satisfies never;
  }
}

function plain(literal: SearchLiteral): Value {
  switch (literal.kind) {
    case "text":
      return literal.text;
    case "number":
      return literal.number;
    case "time":
      return literal.ms;
    case "bool":
      return literal.bool;
    default:
      return literal satisfies never;
  }
}

/**
 * Compares two values; less than, equal to or greater than 0. Strings are ordered by code point, independent of
 * locale.
 */
export function compareSearchValues(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") return textOrder(a, b);
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

function textOrder(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [Array.from(a), Array.from(b)];
  for (const [index, character] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (character !== other) return (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
  }
  return -1;
}

/** Returns the value of a field for comparison with a literal of that kind; undefined if there is none. */
function valueOf(field: SearchField, resource: Resource, kind: SearchLiteral["kind"]): Value | undefined {
  switch (field.kind) {
    case "column":
      return columnValue(field.column, resource);
    case "label":
      return Object.hasOwn(resource.labels, field.key) ? resource.labels[field.key] : undefined;
    case "spec":
      return specValue(specAt(resource, field.path), kind);
    case "condition": {
      const condition = findResourceCondition(resource.conditions, field.type);
      if (condition === undefined || field.part === "status") return condition?.status;
      if (field.part === "observed_generation") return condition.observedGeneration;
      return field.part === "last_updated_time" ? condition.lastUpdatedTime : condition.lastTransitionTime;
    }
    default:
      return field satisfies never;
  }
}

const COLUMN_VALUES: { readonly [Name in Column]: (resource: Resource) => Value | undefined } = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  name: ({ name }) => name,
  href: ({ href }) => href,
  owner_id: ({ owner }) => owner?.id,
  owner_kind: ({ owner }) => owner?.kind,
  generation: ({ generation }) => generation,
  created_by: ({ createdBy }) => createdBy,
  updated_by: ({ updatedBy }) => updatedBy,
  deleted_by: ({ deletion }) => deletion?.by,
  created_time: ({ createdTime }) => createdTime,
  updated_time: ({ updatedTime }) => updatedTime,
  deleted_time: ({ deletion }) => deletion?.time,
};

/** Returns the value of a resource's column. */
export function columnValue(column: Column, resource: Resource): Value | undefined {
  return COLUMN_VALUES[column](resource);
}

function isNull(field: SearchField, resource: Resource): boolean {
  if (field.kind !== "spec") return valueOf(field, resource, "text") === undefined;
  const value = specAt(resource, field.path);
  return value === undefined || value === null;
}

function specAt({ spec }: Resource, path: readonly string[]): JsonValue | undefined {
  let found: JsonValue | undefined = spec;
  for (const key of path) found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return found;
}

/** Numbers compare with numbers, bools with bools, and every scalar with strings, in its JSON notation. */
function specValue(value: JsonValue | undefined, kind: SearchLiteral["kind"]): Value | undefined {
  if (value === undefined || value === null || typeof value === "object") return undefined;
  if (kind === "number") return typeof value === "number" || typeof value === "bigint" ? value : undefined;
  if (kind === "bool") return typeof value === "boolean" ? value : undefined;
  return String(value);
}
