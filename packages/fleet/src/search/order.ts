import type { Resource } from "../resource/index.ts";
import { columnValue, compareSearchValues } from "./evaluate.ts";
import { SEARCH_TABLES } from "./search-sql.ts";
import type { SearchDialect, SearchTables } from "./search-sql.ts";
import { COLUMNS, isColumn } from "./search-tree.ts";
import type { Column } from "./search-tree.ts";

/** A column to sort by. */
export interface OrderTerm {
  readonly column: Column;
  readonly direction: "asc" | "desc";
}

/** Sort columns, most significant first. Always ends with `id`, so that pages never overlap. */
export type Order = readonly OrderTerm[];

/** A parsed order, or the error message. */
export type ParsedOrder =
  | { readonly kind: "order"; readonly order: Order }
  | { readonly kind: "problem"; readonly message: string };

/** The order of a list without a requested order: newest resource first. */
export const DEFAULT_ORDER: Order = [
  { column: "created_time", direction: "desc" },
  { column: "id", direction: "desc" },
];

const TERM = /^([a-z_][a-z0-9_]*)(?:\s+(asc|desc))?$/i;

/** Parses `field[ asc|desc][,…]`. An empty text is the default order. */
export function parseOrder(text: string): ParsedOrder {
  if (text.trim() === "") return { kind: "order", order: DEFAULT_ORDER };
  const order: OrderTerm[] = [];
  for (const part of text.split(",").map((term) => term.trim())) {
    const [, name = "", direction = "asc"] = TERM.exec(part) ?? [];
    if (name === "") {
      return { kind: "problem", message: `invalid order format '${part}': expected 'field' or 'field asc|desc'` };
    }
    if (!isColumn(name)) return { kind: "problem", message: `order: ${name} is not a valid field name` };
    if (order.some(({ column }) => column === name)) return { kind: "problem", message: `order: duplicate ${name}` };
    order.push({ column: name, direction: direction.toLowerCase() === "desc" ? "desc" : "asc" });
  }
  const last = order.at(-1)?.direction ?? "asc";
  const isUnique = order.some(({ column }) => column === "id");
  return { kind: "order", order: isUnique ? order : [...order, { column: "id", direction: last }] };
}

/** Returns the ORDER BY terms. NULL comes last in either direction. */
export function orderSql(order: Order, dialect: SearchDialect, layout: SearchTables = SEARCH_TABLES): string {
  return order
    .map(({ column, direction }) => {
      const { type, isNullable } = COLUMNS[column];
      const collation = dialect === "postgres" && type === "text" ? ' COLLATE "C"' : "";
      const nulls = isNullable ? " NULLS LAST" : "";
      return `${layout.resources}.${column}${collation} ${direction.toUpperCase()}${nulls}`;
    })
    .join(", ");
}

/** Returns a comparator with the same order, for `toSorted`. */
export function compareBy(order: Order): (a: Resource, b: Resource) => number {
  return (a, b) => {
    for (const { column, direction } of order) {
      const [left, right] = [columnValue(column, a), columnValue(column, b)];
      if (left === undefined && right === undefined) continue;
      if (left === undefined) return 1;
      if (right === undefined) return -1;
      const difference = compareSearchValues(left, right);
      if (difference !== 0) return direction === "desc" ? -difference : difference;
    }
    return 0;
  };
}
