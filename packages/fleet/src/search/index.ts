/** The language in which resources are searched for. Begin with `evaluate.ts`. */

export { matches } from "./evaluate.ts";
export { compareBy, DEFAULT_ORDER, orderSql, parseOrder } from "./order.ts";
export type { Order, OrderTerm, ParsedOrder } from "./order.ts";
export { parsePaging, parseReferenceFilter } from "./paging.ts";
export type { Paging, ParsedPaging, ParsedReferenceFilter } from "./paging.ts";
export { parseSearch, SEARCH_MAX } from "./parser.ts";
export type { ParsedSearch } from "./parser.ts";
export { parseFields, select } from "./selection.ts";
export type { ParsedSelection, Selection } from "./selection.ts";
export { SEARCH_LAYOUT, searchSql } from "./sql.ts";
export type { SearchDialect, SearchLayout, SearchSql, SearchSqlOptions } from "./sql.ts";
export { allOf, COLUMNS } from "./tree.ts";
export type {
  Column,
  Comparison,
  ConditionPart,
  SearchField,
  SearchLiteral,
  SearchNode,
  SearchPredicate,
} from "./tree.ts";
