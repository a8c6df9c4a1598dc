import { storedConditionType } from "../resource/index.ts";
import { containments } from "./containment.ts";
import { isIndexed } from "./indexed.ts";
import { globOf } from "./like.ts";
import type { SearchComparison, SearchLiteral, SearchNode, SearchPredicate } from "./search-tree.ts";

/** Databases that can run a search. */
export type SearchDialect = "sqlite" | "postgres";

/**
 * Table layout. The resources table is in the query under the alias `resources` and has the columns of `COLUMNS`,
 * times as integers in milliseconds, and `spec`: jsonb in PostgreSQL, text in SQLite. Labels have `resource_id`, `key`
 * and `value`; conditions have `resource_id`, `type`, `status`, `observed_generation`, `last_updated_time` and
 * `last_transition_time`, and contain only the result of `storedConditions`. Names are inserted verbatim: they must
 * not come from user input.
 */
export interface SearchTables {
  /** The alias and the table name. */
  readonly resources: string;
  readonly table: string;
  readonly labels: string;
  readonly conditions: string;
}

/** The names used by the stores. */
export const SEARCH_TABLES: SearchTables = {
  resources: "r",
  table: "resources",
  labels: "resource_labels",
  conditions: "resource_conditions",
};

/** An SQL condition. Parameters are numbered (`$1`, `?1`) and may be used more than once. */
export interface SearchSql {
  readonly text: string;
  readonly parameters: readonly (string | number)[];
}

/** Options of {@link searchSql}. */
export interface SearchSqlOptions {
  readonly dialect: SearchDialect;
  readonly layout?: SearchTables;
  /** Number of preceding parameters of the query. */
  readonly parametersBefore?: number;
}

/** Translates a search to a WHERE condition. All user input is passed as parameters. */
export function searchSql(node: SearchNode, options: SearchSqlOptions): SearchSql {
  const writer = new SqlWriter(options);
  const text = writer.node(node, "alone");
  return { text, parameters: writer.parameters };
}

/**
 * Position of a part of a search: it alone selects the rows; another part already restricts them; or its result is
 * negated.
 */
type Position = "alone" | "beside" | "negated";

class SqlWriter {
  readonly parameters: (string | number)[] = [];
  readonly #dialect: SearchDialect;
  readonly #layout: SearchTables;
  readonly #before: number;

  constructor({ dialect, layout = SEARCH_TABLES, parametersBefore = 0 }: SearchSqlOptions) {
    this.#dialect = dialect;
    this.#layout = layout;
    this.#before = parametersBefore;
  }

  node(node: SearchNode, position: Position): string {
    switch (node.kind) {
      case "and": {
        const isNarrow = node.of.some((part) => part.kind !== "or" && isIndexed(part));
        const within = position === "alone" && isNarrow ? "beside" : position;
        return `(${node.of.map((part) => this.node(part, part.kind === "or" ? within : position)).join(" AND ")})`;
      }
      case "or":
        if (position === "alone" && this.#dialect === "postgres" && isIndexed(node)) return this.#union(node.of);
        return `(${node.of.map((part) => this.node(part, position === "negated" ? position : "beside")).join(" OR ")})`;
      case "not":
        return `(NOT ${this.node(node.of, "negated")})`;
      default:
        return this.#predicate(node, position);
    }
  }

  /** Each part uses its own index. PostgreSQL would scan the table for OR. */
  #union(parts: readonly SearchNode[]): string {
    const { resources, table } = this.#layout;
    const found = parts.map((part) => {
      return `SELECT ${resources}.id FROM ${table} ${resources} WHERE ${this.node(part, "alone")}`;
    });
    return `(${resources}.id IN (${found.join(" UNION ALL ")}))`;
  }

  #predicate(node: SearchPredicate, position: Position): string {
    const { field } = node;
    switch (field.kind) {
      case "column":
        return this.#test(node, `${this.#layout.resources}.${field.column}`);
      case "spec":
        return node.kind === "null"
          ? `(coalesce(${this.#specType(field.path)}, 'null') ${node.isNegated ? "<>" : "="} 'null')`
          : this.#ofSpec(node, field.path, position);
      case "label":
        return this.#label(node, field.key);
      case "condition":
        return this.#having(this.#layout.conditions, "type", storedConditionType(field.type), () =>
          this.#test(node, `x.${field.part}`),
        );
      default:
        return field satisfies never;
    }
  }

  /**
   * PostgreSQL has an index on the content of specs. It must not be used under negation: containment of a missing
   * value is false, whereas the comparison is NULL.
   */
  #ofSpec(
    node: Exclude<SearchPredicate, { readonly kind: "null" }>,
    path: readonly string[],
    position: Position,
  ): string {
    const test = this.#test(node, this.#spec(path, literalKind(node)));
    const contained = this.#dialect === "postgres" && position !== "negated" ? containments(node, path) : undefined;
    if (contained === undefined) return test;
    const spec = `${this.#layout.resources}.spec`;
    return `((${contained.map((part) => `${spec} @> ${this.#bind(part)}::jsonb`).join(" OR ")}) AND ${test})`;
  }

  #label(node: SearchPredicate, key: string): string {
    if (node.kind !== "null") return this.#having(this.#layout.labels, "key", key, () => this.#test(node, "x.value"));
    return `(${node.isNegated ? "" : "NOT "}${this.#having(this.#layout.labels, "key", key, undefined)})`;
  }

  /** Tests for a row of the resource. Uncorrelated, so that the database may start with either table. */
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

  /** The left side. SQLite orders strings by bytes; PostgreSQL needs COLLATE "C". */
  #side(value: string, operator: SearchComparison, literal: SearchLiteral): string {
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
    // An integer index is only used for integers.
    return `${parameter}::${Number.isSafeInteger(value) ? "bigint" : "numeric"}`;
  }

  /** The value at a path of the spec, of the literals' type; NULL if it has another type. */
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

  /** The object with the last key. A text is an object key, never a list index. */
  #steps(path: readonly string[]): string {
    return [`${this.#layout.resources}.spec`, ...path.slice(0, -1).map((key) => `${this.#bind(key)}::text`)].join(
      " -> ",
    );
  }

  /** Equal values share a parameter. */
  #bind(value: string | number): string {
    const known = this.parameters.indexOf(value);
    const index = known === -1 ? this.parameters.push(value) : known + 1;
    return `${this.#dialect === "postgres" ? "$" : "?"}${this.#before + index}`;
  }
}

const OPERATORS: { readonly [Operator in SearchComparison]: string } = {
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
