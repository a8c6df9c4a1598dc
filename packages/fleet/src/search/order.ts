import type { Resource } from "../resource/index.ts";
import { columnValue, orderOf } from "./evaluate.ts";
import { SEARCH_LAYOUT } from "./sql.ts";
import type { SearchDialect, SearchLayout } from "./sql.ts";
import { COLUMNS, isColumn } from "./tree.ts";
import type { Column } from "./tree.ts";

/** A column to sort by. */
export interface OrderTerm {
  readonly column: Column;
  readonly direction: "asc" | "desc";
}

/** What is sorted by, the most important first. Always ends with `id`, so that pages never overlap. */
export type Order = readonly OrderTerm[];

/** An order, or what is wrong with it. */
export type ParsedOrder =
  | { readonly kind: "order"; readonly order: Order }
  | { readonly kind: "problem"; readonly message: string };

/** The newest first. */
export const DEFAULT_ORDER: Order = [
  { column: "created_time", direction: "desc" },
  { column: "id", direction: "desc" },
];

const TERM = /^([a-z_][a-z0-9_]*)(?:\s+(asc|desc))?$/i;

/** Reads `field[ asc|desc][,…]`. Nothing at all is the default order. */
export function parseOrder(text: string): ParsedOrder {
  if (text.trim() === "") return { kind: "order", order: DEFAULT_ORDER };
  const order: OrderTerm[] = [];
  for (const part of text.split(",").map((term) => term.trim())) {
    const [, name = "", direction = "asc"] = TERM.exec(part) ?? [];
    if (name === "") {
      return { kind: "problem", message: `invalid order format '${part}': expected 'field' or 'field asc|desc'` };
    }
    if (!isColumn(name)) return { kind: "problem", message: `order: ${name} is not a valid field name` };
    if (order.some(({ column }) => column === name))
      return { kind: "problem", message: `order: ${name} is there twice` };
    order.push({ column: name, direction: direction.toLowerCase() === "desc" ? "desc" : "asc" });
  }
  const last = order.at(-1)?.direction ?? "asc";
  const isUnique = order.some(({ column }) => column === "id");
  return { kind: "order", order: isUnique ? order : [...order, { column: "id", direction: last }] };
}

/** The order for ORDER BY. What has no value comes last, in either direction. */
export function orderSql(order: Order, dialect: SearchDialect, layout: SearchLayout = SEARCH_LAYOUT): string {
  return order
    .map(({ column, direction }) => {
      const { type, isNullable } = COLUMNS[column];
      const collation = dialect === "postgres" && type === "text" ? ' COLLATE "C"' : "";
      const nulls = isNullable ? " NULLS LAST" : "";
      return `${layout.resources}.${column}${collation} ${direction.toUpperCase()}${nulls}`;
    })
    .join(", ");
}

/** The same order for resources in memory, as a comparison for `toSorted`. */
export function compareBy(order: Order): (a: Resource, b: Resource) => number {
  return (a, b) => {
    for (const { column, direction } of order) {
      const [left, right] = [columnValue(column, a), columnValue(column, b)];
      if (left === undefined && right === undefined) continue;
      if (left === undefined) return 1;
      if (right === undefined) return -1;
      const difference = orderOf(left, right);
      if (difference !== 0) return direction === "desc" ? -difference : difference;
    }
    return 0;
  };
}
