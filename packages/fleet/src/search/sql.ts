import { keptType } from "../resource/index.ts";
import { containments } from "./containment.ts";
import { isIndexed } from "./indexed.ts";
import { globOf } from "./like.ts";
import type { Comparison, SearchLiteral, SearchNode, SearchPredicate } from "./tree.ts";

/** The databases that a search can be put to. */
export type SearchDialect = "sqlite" | "postgres";

/**
 * Where resources are kept. The table of resources is in the query under the alias `resources` and has the columns of `COLUMNS`, times as
 * integers in milliseconds, and `spec`: jsonb in PostgreSQL, its text in SQLite. Labels have `resource_id`, `key` and `value`;
 * conditions have `resource_id`, `type`, `status`, `observed_generation`, `last_updated_time` and `last_transition_time`, and only
 * those are there that `keptConditions` gives. Names are taken as they are: they are no input.
 */
export interface SearchLayout {
  /** The alias, and the table itself. */
  readonly resources: string;
  readonly table: string;
  readonly labels: string;
  readonly conditions: string;
}

/** The names that the stores use. */
export const SEARCH_LAYOUT: SearchLayout = {
  resources: "r",
  table: "resources",
  labels: "resource_labels",
  conditions: "resource_conditions",
};

/** A condition in SQL. Parameters are numbered (`$1`, `?1`) and may be used more than once. */
export interface SearchSql {
  readonly text: string;
  readonly parameters: readonly (string | number)[];
}

/** How to translate. */
export interface SearchSqlOptions {
  readonly dialect: SearchDialect;
  readonly layout?: SearchLayout;
  /** How many parameters the query has before these. */
  readonly parametersBefore?: number;
}

/** A search as a condition for WHERE. Everything that a user wrote is a parameter. */
export function searchSql(node: SearchNode, options: SearchSqlOptions): SearchSql {
  const writer = new SqlWriter(options);
  const text = writer.node(node, "alone");
  return { text, parameters: writer.parameters };
}

/**
 * Where a part of a search stands: what it finds is all that is looked at; or something beside it finds less already; or what it finds is not what is looked for.
 */
type Place = "alone" | "beside" | "negated";

class SqlWriter {
  readonly parameters: (string | number)[] = [];
  readonly #dialect: SearchDialect;
  readonly #layout: SearchLayout;
  readonly #before: number;

  constructor({ dialect, layout = SEARCH_LAYOUT, parametersBefore = 0 }: SearchSqlOptions) {
    this.#dialect = dialect;
    this.#layout = layout;
    this.#before = parametersBefore;
  }

  node(node: SearchNode, place: Place): string {
    switch (node.kind) {
      case "and": {
        const isNarrow = node.of.some((part) => part.kind !== "or" && isIndexed(part));
        const within = place === "alone" && isNarrow ? "beside" : place;
        return `(${node.of.map((part) => this.node(part, part.kind === "or" ? within : place)).join(" AND ")})`;
      }
      case "or":
        if (place === "alone" && this.#dialect === "postgres" && isIndexed(node)) return this.#union(node.of);
        return `(${node.of.map((part) => this.node(part, place === "negated" ? place : "beside")).join(" OR ")})`;
      case "not":
        return `(NOT ${this.node(node.of, "negated")})`;
      default:
        return this.#predicate(node, place);
    }
  }

  /** Each part by the index that it has. PostgreSQL would look at everything. */
  #union(parts: readonly SearchNode[]): string {
    const { resources, table } = this.#layout;
    const found = parts.map((part) => {
      return `SELECT ${resources}.id FROM ${table} ${resources} WHERE ${this.node(part, "alone")}`;
    });
    return `(${resources}.id IN (${found.join(" UNION ALL ")}))`;
  }

  #predicate(node: SearchPredicate, place: Place): string {
    const { field } = node;
    switch (field.kind) {
      case "column":
        return this.#test(node, `${this.#layout.resources}.${field.column}`);
      case "spec":
        return node.kind === "null"
          ? `(coalesce(${this.#specType(field.path)}, 'null') ${node.isNegated ? "<>" : "="} 'null')`
          : this.#ofSpec(node, field.path, place);
      case "label":
        return this.#label(node, field.key);
      case "condition":
        return this.#having(this.#layout.conditions, "type", keptType(field.type), () =>
          this.#test(node, `x.${field.part}`),
        );
      default:
        return field satisfies never;
    }
  }

  /**
   * PostgreSQL has an index of what specs contain. Where something is denied, it must not be asked: that something is not contained is false, and that a value that is not
   * there is another one is neither true nor false.
   */
  #ofSpec(node: Exclude<SearchPredicate, { readonly kind: "null" }>, path: readonly string[], place: Place): string {
    const test = this.#test(node, this.#spec(path, literalKind(node)));
    const contained = this.#dialect === "postgres" && place !== "negated" ? containments(node, path) : undefined;
    if (contained === undefined) return test;
    const spec = `${this.#layout.resources}.spec`;
    return `((${contained.map((part) => `${spec} @> ${this.#bind(part)}::jsonb`).join(" OR ")}) AND ${test})`;
  }

  #label(node: SearchPredicate, key: string): string {
    if (node.kind !== "null") return this.#having(this.#layout.labels, "key", key, () => this.#test(node, "x.value"));
    return `(${node.isNegated ? "" : "NOT "}${this.#having(this.#layout.labels, "key", key, undefined)})`;
  }

  /** Whether the resource has such a row. Not tied to the row of the resource, so that a database may begin with either table. */
  #having(table: string, name: string, value: string, test: (() => string) | undefined): string {
    const key = this.#bind(value);
    const and = test === undefined ? "" : ` AND ${test()}`;
    const { resources } = this.#layout;
    return `(${resources}.id IN (SELECT x.resource_id FROM ${table} x WHERE x.${name} = ${key}${and}))`;
  }

  #test(node: SearchPredicate, value: string): string {
    switch (node.kind) {
      case "compare":
        return `(${this.#side(value, node.operator, node.value)} ${OPERATORS[node.operator]} ${this.#literal(node.value)})`;
      case "in": {
        const list = node.values.map((literal) => this.#literal(literal)).join(", ");
        return `(${value} ${node.isNegated ? "NOT " : ""}IN (${list}))`;
      }
      case "between": {
        const side = this.#side(value, ">=", node.low);
        const [low, high] = [this.#literal(node.low), this.#literal(node.high)];
        return `(${side} ${node.isNegated ? "NOT " : ""}BETWEEN ${low} AND ${high})`;
      }
      case "like":
        return `(${value} ${node.isNegated ? "NOT " : ""}${this.#like(node.pattern, node.ignoresCase)})`;
      case "null":
        return `(${value} IS ${node.isNegated ? "NOT " : ""}NULL)`;
      default:
        return node satisfies never;
    }
  }

  /** The left side. Texts are in the order of their bytes in SQLite; PostgreSQL must be told. */
  #side(value: string, operator: Comparison, literal: SearchLiteral): string {
    const isOrdered = operator !== "=" && operator !== "!=";
    return this.#dialect === "postgres" && isOrdered && literal.kind === "text" ? `${value} COLLATE "C"` : value;
  }

  #like(pattern: string, ignoresCase: boolean): string {
    if (this.#dialect === "postgres") return `${ignoresCase ? "ILIKE" : "LIKE"} ${this.#bind(pattern)}`;
    return ignoresCase ? `LIKE ${this.#bind(pattern)} ESCAPE '\\'` : `GLOB ${this.#bind(globOf(pattern))}`;
  }

  #literal(literal: SearchLiteral): string {
    switch (literal.kind) {
      case "text":
        return this.#bind(literal.text);
      case "number":
        return this.#number(literal.number);
      case "time":
        return this.#number(literal.ms);
      case "bool":
        return this.#bind(String(literal.bool));
      default:
        return literal satisfies never;
    }
  }

  #number(value: number): string {
    const parameter = this.#bind(value);
    if (this.#dialect === "sqlite") return parameter;
    // An index on an integer is of use only to integers.
    return `${parameter}::${Number.isSafeInteger(value) ? "bigint" : "numeric"}`;
  }

  /** The value at a path of the spec, of the type that the literals have; NULL where it is of another one. */
  #spec(path: readonly string[], kind: SearchLiteral["kind"]): string {
    const type = this.#specType(path);
    const spec = `${this.#layout.resources}.spec`;
    if (this.#dialect === "postgres") {
      const text = `${this.#steps(path)} ->> ${this.#bind(path.at(-1) ?? "")}::text`;
      if (kind === "number") return `(CASE ${type} WHEN 'number' THEN (${text})::numeric END)`;
      if (kind === "bool") return `(CASE ${type} WHEN 'boolean' THEN ${text} END)`;
      return `(CASE WHEN ${type} IN ('string', 'number', 'boolean') THEN ${text} END)`;
    }
    const at = this.#bind(jsonPath(path));
    if (kind === "number") return `(CASE WHEN ${type} IN ('integer', 'real') THEN json_extract(${spec}, ${at}) END)`;
    const bool = `WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'`;
    if (kind === "bool") return `(CASE ${type} ${bool} END)`;
    const number = `WHEN 'integer' THEN ${spec} -> ${at} WHEN 'real' THEN ${spec} -> ${at}`;
    return `(CASE ${type} WHEN 'text' THEN json_extract(${spec}, ${at}) ${bool} ${number} END)`;
  }

  #specType(path: readonly string[]): string {
    if (this.#dialect === "sqlite") return `json_type(${this.#layout.resources}.spec, ${this.#bind(jsonPath(path))})`;
    return `jsonb_typeof(${this.#steps(path)} -> ${this.#bind(path.at(-1) ?? "")}::text)`;
  }

  /** The object that holds the last key. A text is the key of an object and never a place in a list. */
  #steps(path: readonly string[]): string {
    return [`${this.#layout.resources}.spec`, ...path.slice(0, -1).map((key) => `${this.#bind(key)}::text`)].join(
      " -> ",
    );
  }

  /** The same value is the same parameter. */
  #bind(value: string | number): string {
    const known = this.parameters.indexOf(value);
    const index = known === -1 ? this.parameters.push(value) : known + 1;
    return `${this.#dialect === "postgres" ? "$" : "?"}${this.#before + index}`;
  }
}

const OPERATORS: { readonly [Operator in Comparison]: string } = {
  "=": "=",
  "!=": "<>",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};

function literalKind(node: Exclude<SearchPredicate, { readonly kind: "null" }>): SearchLiteral["kind"] {
  switch (node.kind) {
    case "compare":
      return node.value.kind;
    case "in":
      return node.values[0]?.kind ?? "text";
    case "between":
      return node.low.kind;
    case "like":
      return "text";
    default:
      return node satisfies never;
  }
}

function jsonPath(path: readonly string[]): string {
  return `$${path.map((key) => `."${key}"`).join("")}`;
}
