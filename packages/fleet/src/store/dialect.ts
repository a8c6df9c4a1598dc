import type { SearchDialect } from "../search/index.ts";

/** In what the databases differ, apart from committing and from the positions of the feed. */
export interface Dialect {
  readonly name: SearchDialect;
  /** A column type for integers of 64 bits, and one for texts that are compared by their bytes. */
  readonly types: { readonly integer: string; readonly text: string; readonly json: string };
  /** Whether a value is in a list that is given as JSON. */
  among(value: string, parameter: string): string;
  /** Whether a value is among what a query gives. The query goes first, however much the database believes that it gives. */
  amongFound(value: string, query: string): string;
  /** A list in JSON as a table. */
  elements(parameter: string): string;
  /** A member of such an element. */
  column(alias: string, name: string, type: "integer" | "text"): string;
  /** The texts of a column as a list in JSON. */
  gather(value: string): string;
  /** The database's own clock when a statement began, in milliseconds since the epoch. An index can be searched with it. */
  readonly now: string;
  /** The text of a resource's spec. What JSON in a database cannot hold is beside it. */
  spec(alias: string): string;
  /** Locks rows that are about to be changed, in the order in which they are read. */
  readonly forUpdate: string;
  /** Locks rows that are about to be changed and leaves those aside that somebody else has locked. */
  readonly skipLocked: string;
  /** Locks rows that must not vanish. */
  readonly keyShare: string;
}

/** SQLite, with tables that are STRICT. */
export const SQLITE: Dialect = {
  name: "sqlite",
  types: { integer: "INTEGER", text: "TEXT", json: "TEXT" },
  among: (value, parameter) => `${value} IN (SELECT value FROM json_each(${parameter}))`,
  amongFound: (value, query) => `${value} IN (${query})`,
  elements: (parameter) => `json_each(${parameter})`,
  column: (alias, name) => `(${alias}.value ->> '${name}')`,
  gather: (value) => `json_group_array(${value})`,
  now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  spec: (alias) => `coalesce(${alias}.spec_exact, ${alias}.spec)`,
  forUpdate: "",
  skipLocked: "",
  keyShare: "",
};

/** PostgreSQL, from version 13 on. */
export const POSTGRES: Dialect = {
  name: "postgres",
  types: { integer: "BIGINT", text: 'TEXT COLLATE "C"', json: "JSONB" },
  among: (value, parameter) => `${value} = ANY (ARRAY(SELECT json_array_elements_text(${parameter}::json)))`,
  amongFound: (value, query) => `${value} = ANY (ARRAY(${query}))`,
  elements: (parameter) => `json_array_elements(${parameter}::json)`,
  column: (alias, name, type) => `(${alias}.value ->> '${name}')${type === "integer" ? "::bigint" : ""}`,
  gather: (value) => `json_agg(${value})::text`,
  now: "(extract(epoch FROM statement_timestamp()) * 1000)::bigint",
  spec: (alias) => `coalesce(${alias}.spec_exact, ${alias}.spec::text)`,
  forUpdate: "FOR UPDATE",
  skipLocked: "FOR UPDATE SKIP LOCKED",
  keyShare: "FOR KEY SHARE",
};
