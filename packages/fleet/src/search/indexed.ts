import type { Column, SearchNode, SearchPredicate } from "./search-tree.ts";

const COLUMNS: readonly Column[] = [
  "id",
  "name",
  "owner_id",
  "created_by",
  "updated_by",
  "created_time",
  "updated_time",
  "deleted_time",
];

/** Returns whether a database can use an index for a search instead of a full scan. */
export function isIndexed(node: SearchNode): boolean {
  switch (node.kind) {
    case "and":
      return node.of.some(isIndexed);
    case "or":
      return node.of.every(isIndexed);
    case "not":
      return false;
    default:
      return isIndexedPredicate(node);
  }
}

function isIndexedPredicate(node: SearchPredicate): boolean {
  if (isNegated(node)) return false;
  const { field } = node;
  switch (field.kind) {
    case "condition":
    case "label":
      return node.kind !== "null";
    case "spec":
      return isEquality(node);
    case "column":
      return (
        COLUMNS.includes(field.column) && (node.kind === "compare" || node.kind === "in" || node.kind === "between")
      );
    default:
      return field satisfies never;
  }
}

/** Returns whether a predicate only tests for equality with certain values. */
export function isEquality(node: SearchPredicate): boolean {
  return (node.kind === "compare" && node.operator === "=") || (node.kind === "in" && !node.isNegated);
}

function isNegated(node: SearchPredicate): boolean {
  return node.kind === "compare" ? node.operator === "!=" : node.isNegated;
}
