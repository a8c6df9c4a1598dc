import { stringifyJson } from "@levelset/core/internal";
import { orderSql, SEARCH_TABLES, searchSql } from "../search/index.ts";
import { COLUMNS } from "../search/index.ts";
import type { Order } from "../search/index.ts";
import type { Dialect } from "./dialect.ts";
import type { ListResult, ListCursor, ListQuery } from "./list-query.ts";
import { resourceColumns, resourceOf, storedColumns, tenancyOf } from "./resource-row.ts";
import { integerIn, optionalInteger, optionalText, Parameters, textIn } from "./sql-row.ts";
import type { SqlRow, SqlValue, Statement } from "./sql-row.ts";
import type { ResourceKey } from "./stored-resource.ts";

/** Selects one stored resource. */
export function loadStatement(key: ResourceKey, dialect: Dialect): Statement {
  const parameters = new Parameters();
  const where = keyConditions(key, parameters).join(" AND ");
  return {
    text: `SELECT ${storedColumns(dialect)} FROM resources r WHERE ${where}`,
    parameters: parameters.values,
    isPrepared: true,
  };
}

/** Selects stored resources by ID. */
export function loadAllStatement(ids: readonly string[], dialect: Dialect): Statement {
  return {
    text: `SELECT ${storedColumns(dialect)} FROM resources r WHERE ${dialect.isAnyOf("r.id", "$1")}`,
    parameters: [stringifyJson(ids)],
  };
}

/** Selects a resource and all its descendants, each with the IDs of the resources that refer to it. */
export function treeStatement(key: ResourceKey, dialect: Dialect): Statement {
  const parameters = new Parameters();
  const where = keyConditions(key, parameters).join(" AND ");
  return {
    text: `WITH RECURSIVE family (id) AS (
        SELECT r.id FROM resources r WHERE ${where}
        UNION ALL SELECT c.id FROM family JOIN resources c ON c.owner_id = family.id)
      SELECT ${storedColumns(dialect)},
        (SELECT ${dialect.jsonArrayAgg("x.resource_id")} FROM resource_references x WHERE x.target_id = r.id) AS referencers
      FROM resources r WHERE ${dialect.isAnyOfQuery("r.id", "SELECT family.id FROM family")} ORDER BY r.created_time, r.id`,
    parameters: parameters.values,
  };
}

function keyConditions({ id, kind, ownerId, scope }: ResourceKey, parameters: Parameters): readonly string[] {
  const tenancy = tenancyOf(scope);
  return [
    `r.id = ${parameters.add(id)}`,
    ...(kind === undefined ? [] : [`r.kind = ${parameters.add(kind)}`]),
    ...(ownerId === undefined ? [] : [`r.owner_id = ${parameters.add(ownerId)}`]),
    ...(tenancy === undefined ? [] : [`r.tenancy = ${parameters.add(tenancy)}`]),
  ];
}

/**
 * Selects the rows of a list page. With a cursor, it selects one row more than the page size. A numbered page has
 * `total` in each row, and a single row with only `total` if the page is empty: items and total come from one snapshot.
 */
export function listStatement(query: ListQuery, dialect: Dialect): Statement {
  const parameters = new Parameters();
  const conditions = listConditions(query, parameters, dialect);
  const { page, order } = query;
  const columns = resourceColumns(dialect);
  if (page.kind === "after") {
    const after = page.position === undefined ? [] : [afterSql(order, page.position, parameters, dialect)];
    const where = whereSql([...conditions, ...after]);
    const limit = parameters.add(page.size + 1);
    const text = `SELECT ${columns} FROM resources r ${where} ORDER BY ${orderSql(order, dialect.name)} LIMIT ${limit}`;
    return { text, parameters: parameters.values };
  }
  const where = whereSql(conditions);
  const orderOf = (alias: string): string => orderSql(order, dialect.name, { ...SEARCH_TABLES, resources: alias });
  // Evaluates the search first and sorts then. A planner that expects many matches would walk an index in order and
  // filter each row.
  const [alias, source] = query.search === undefined ? ["r", `resources r ${where}`] : ["f", "found f"];
  const sorted = [...new Set(["id", ...order.map(({ column }) => column)])].map((name) => `r.${name}`).join(", ");
  const found =
    query.search === undefined ? "" : `WITH found AS MATERIALIZED (SELECT ${sorted} FROM resources r ${where})`;
  const limit = `LIMIT ${parameters.add(page.size)} OFFSET ${parameters.add((page.page - 1) * page.size)}`;
  const text = `${found}
    SELECT t.total, p.* FROM (SELECT count(*) AS total FROM ${source}) t
    LEFT JOIN (
      SELECT ${columns} FROM resources r
      WHERE ${dialect.isAnyOfQuery("r.id", `SELECT ${alias}.id FROM ${source} ORDER BY ${orderOf(alias)} ${limit}`)}
    ) p ON true ORDER BY ${orderOf("p")}`;
  return { text, parameters: parameters.values };
}

/** Converts the rows of `listStatement` to a list page. */
export function listResultOf({ page, order }: ListQuery, rows: readonly SqlRow[]): ListResult {
  const items = rows.filter((row) => row["id"] !== null);
  const pageItems = items.slice(0, page.size);
  const total = page.kind === "page" ? integerIn(rows[0] ?? {}, "total") : undefined;
  const last = pageItems.at(-1);
  const hasMore =
    page.kind === "after"
      ? items.length > pageItems.length
      : (page.page - 1) * page.size + pageItems.length < (total ?? 0);
  return {
    items: pageItems.map((row) => ({ resource: resourceOf(row), revision: integerIn(row, "revision") })),
    total,
    next: hasMore && last !== undefined ? positionIn(last, order) : undefined,
  };
}

function positionIn(row: SqlRow, order: Order): ListCursor {
  const values = order.map(({ column }) => {
    const isText = COLUMNS[column].type === "text";
    return (isText ? optionalText(row, column) : optionalInteger(row, column)) ?? null;
  });
  return { values, id: textIn(row, "id") };
}

function listConditions(query: ListQuery, parameters: Parameters, dialect: Dialect): readonly string[] {
  const { kind, ownerId, reference, search } = query;
  const tenancy = tenancyOf(query.scope);
  const conditions = [
    ...(tenancy === undefined ? [] : [`r.tenancy = ${parameters.add(tenancy)}`]),
    ...(kind === undefined ? [] : [`r.kind = ${parameters.add(kind)}`]),
    ...(ownerId === undefined ? [] : [`r.owner_id = ${parameters.add(ownerId)}`]),
  ];
  if (reference !== undefined) {
    const [target, type] = [parameters.add(reference.targetId), parameters.add(reference.type)];
    conditions.push(
      `r.id IN (SELECT x.resource_id FROM resource_references x WHERE x.target_id = ${target} AND x.type = ${type})`,
    );
  }
  if (search !== undefined) {
    const found = searchSql(search, { dialect: dialect.name, parametersBefore: parameters.values.length });
    parameters.append(found.parameters);
    conditions.push(dialect.name === "sqlite" ? found.text.replaceAll("?", "$") : found.text);
  }
  return conditions;
}

function whereSql(conditions: readonly string[]): string {
  return conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
}

/**
 * Selects rows after a cursor. If all columns sort in one direction and are not null, it is one row comparison that an
 * index supports.
 */
function afterSql(order: Order, position: ListCursor, parameters: Parameters, dialect: Dialect): string {
  const terms = order.map(({ column, direction }, index): AfterTerm => {
    const value: SqlValue = column === "id" ? position.id : (position.values[index] ?? null);
    const collation = dialect.name === "postgres" && COLUMNS[column].type === "text" ? ' COLLATE "C"' : "";
    const { isNullable } = COLUMNS[column];
    return {
      name: `r.${column}`,
      collation,
      direction,
      isNullable,
      value: value === null ? null : parameters.add(value),
    };
  });
  const [first] = terms;
  if (terms.every((term) => !term.isNullable && term.direction === first?.direction)) {
    const names = terms.map(({ name }) => name).join(", ");
    const values = terms.map(({ value }) => value).join(", ");
    return `(${names}) ${first?.direction === "desc" ? "<" : ">"} (${values})`;
  }
  const cases = terms.map((term, index) => [...terms.slice(0, index).map(sameSql), laterSql(term)].join(" AND "));
  return `(${cases.map((text) => `(${text})`).join(" OR ")})`;
}

interface AfterTerm {
  readonly name: string;
  readonly collation: string;
  readonly direction: "asc" | "desc";
  readonly isNullable: boolean;
  /** The parameter; null sorts last. */
  readonly value: string | null;
}

function sameSql({ name, value }: AfterTerm): string {
  return value === null ? `${name} IS NULL` : `${name} = ${value}`;
}

function laterSql({ name, collation, direction, isNullable, value }: AfterTerm): string {
  if (value === null) return "false";
  const later = `${name}${collation} ${direction === "desc" ? "<" : ">"} ${value}`;
  return isNullable ? `(${later} OR ${name} IS NULL)` : later;
}
