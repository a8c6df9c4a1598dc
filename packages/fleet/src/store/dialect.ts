import type { SearchDialect } from "../search/index.ts";

/** The differences between the SQL dialects, apart from commits and feed positions. */
export interface Dialect {
  readonly name: SearchDialect;
  /** Column types for 64-bit integers, for text with bytewise collation, and for JSON. */
  readonly types: { readonly integer: string; readonly text: string; readonly json: string };
  /** Tests whether a value is in a list passed as JSON. */
  isAnyOf(value: string, parameter: string): string;
  /**
   * Tests whether a value is in the result of a query. The query is evaluated first, whatever row count the planner
   * expects.
   */
  isAnyOfQuery(value: string, query: string): string;
  /** Expands a JSON array to a table. */
  jsonElements(parameter: string): string;
  /** Selects a member of such an element. */
  column(alias: string, name: string, type: "integer" | "text"): string;
  /** Aggregates a text column to a JSON array. */
  jsonArrayAgg(value: string): string;
  /**
   * The database's clock at the start of the statement, in milliseconds since the epoch. Usable in index conditions.
   */
  readonly now: string;
  /** The text of a resource's spec. `spec_exact` holds values that the JSON column cannot represent. */
  spec(alias: string): string;
  /** Locks rows for update, in the order in which they are read. */
  readonly forUpdate: string;
  /** Locks rows for update and skips rows that another transaction has locked. */
  readonly skipLocked: string;
  /** Locks rows against deletion. */
  readonly keyShare: string;
}

/** SQLite, with STRICT tables. */
export const SQLITE_DIALECT: Dialect = {
  name: "sqlite",
  types: { integer: "INTEGER", text: "TEXT", json: "TEXT" },
  isAnyOf: (value, parameter) => `${value} IN (SELECT value FROM json_each(${parameter}))`,
  isAnyOfQuery: (value, query) => `${value} IN (${query})`,
  jsonElements: (parameter) => `json_each(${parameter})`,
  column: (alias, name) => `(${alias}.value ->> '${name}')`,
  jsonArrayAgg: (value) => `json_group_array(${value})`,
  now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  spec: (alias) => `coalesce(${alias}.spec_exact, ${alias}.spec)`,
  forUpdate: "",
  skipLocked: "",
  keyShare: "",
};

/** PostgreSQL 13 or later. */
export const POSTGRES_DIALECT: Dialect = {
  name: "postgres",
  types: { integer: "BIGINT", text: 'TEXT COLLATE "C"', json: "JSONB" },
  isAnyOf: (value, parameter) => `${value} = ANY (ARRAY(SELECT json_array_elements_text(${parameter}::json)))`,
  isAnyOfQuery: (value, query) => `${value} = ANY (ARRAY(${query}))`,
  jsonElements: (parameter) => `json_array_elements(${parameter}::json)`,
  column: (alias, name, type) => `(${alias}.value ->> '${name}')${type === "integer" ? "::bigint" : ""}`,
  jsonArrayAgg: (value) => `json_agg(${value})::text`,
  now: "(extract(epoch FROM statement_timestamp()) * 1000)::bigint",
  spec: (alias) => `coalesce(${alias}.spec_exact, ${alias}.spec::text)`,
  forUpdate: "FOR UPDATE",
  skipLocked: "FOR UPDATE SKIP LOCKED",
  keyShare: "FOR KEY SHARE",
};
