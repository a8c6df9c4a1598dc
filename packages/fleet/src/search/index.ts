/** The search language for resources. Begin with `evaluate.ts`. */

export { matchesSearch } from "./evaluate.ts";
export { compareBy, DEFAULT_ORDER, orderSql, parseOrder } from "./order.ts";
export type { Order, OrderTerm, ParsedOrder } from "./order.ts";
export { parsePaging, parseReferenceFilter } from "./paging.ts";
export type { Paging, ParsedPaging, ParsedReferenceFilter } from "./paging.ts";
export { parseSearch, SEARCH_MAX } from "./search-parser.ts";
export type { ParsedSearch } from "./search-parser.ts";
export { parseFieldMask, applyFieldMask } from "./field-mask.ts";
export type { ParsedFieldMask, FieldMask } from "./field-mask.ts";
export { SEARCH_TABLES, searchSql } from "./search-sql.ts";
export type { SearchDialect, SearchTables, SearchSql, SearchSqlOptions } from "./search-sql.ts";
export { andSearch, COLUMNS, SEARCH_COMPARISONS, SEARCH_KEYWORDS, SEARCH_WORDS } from "./search-tree.ts";
export type {
  Column,
  SearchComparison,
  ConditionPart,
  SearchField,
  SearchKeyword,
  SearchLiteral,
  SearchNode,
  SearchPredicate,
} from "./search-tree.ts";
