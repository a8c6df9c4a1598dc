import { canonicalJson, parseJson, stringifyJson } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { allConditions, keptConditions } from "../resource/index.ts";
import type { AdapterStatus, References, Resource, ResourceCondition, TextMap } from "../resource/index.ts";
import type { Dialect } from "./dialect.ts";
import { integerIn, optionalInteger, optionalText, textIn } from "./sql-row.ts";
import type { SqlRow, SqlValue } from "./sql-row.ts";
import type { Stored, TenantScope } from "./stored.ts";

const COLUMNS = [
  "id",
  "kind",
  "name",
  "href",
  "owner_id",
  "owner_kind",
  "owner_href",
  "generation",
  "created_by",
  "updated_by",
  "deleted_by",
  "created_time",
  "updated_time",
  "deleted_time",
  "labels",
  "links",
  "tenancy",
  "conditions",
  "revision",
] as const;

/** What a resource is made of, for SELECT. */
export function resourceColumns(dialect: Dialect, alias = "r"): string {
  return [...COLUMNS.map((name) => `${alias}.${name}`), `${dialect.spec(alias)} AS spec`].join(", ");
}

/** What a resource with all that was read of it is made of, for SELECT. */
export function storedColumns(dialect: Dialect): string {
  return `${resourceColumns(dialect)},
    (SELECT count(*) FROM resources c WHERE c.owner_id = r.id) AS children,
    (SELECT ${dialect.gather("s.body")} FROM adapter_statuses s WHERE s.resource_id = r.id) AS statuses`;
}

/** The resource in a row. */
export function resourceOf(row: SqlRow): Resource {
  const deletedTime = optionalInteger(row, "deleted_time");
  const ownerId = optionalText(row, "owner_id");
  return {
    id: textIn(row, "id"),
    kind: textIn(row, "kind"),
    name: textIn(row, "name"),
    href: textIn(row, "href"),
    spec: jsonIn<JsonObject>(row, "spec"),
    labels: jsonIn<TextMap>(row, "labels"),
    generation: integerIn(row, "generation"),
    createdTime: integerIn(row, "created_time"),
    updatedTime: integerIn(row, "updated_time"),
    createdBy: textIn(row, "created_by"),
    updatedBy: textIn(row, "updated_by"),
    ...(deletedTime === undefined ? {} : { deletion: { time: deletedTime, by: textIn(row, "deleted_by") } }),
    ...(ownerId === undefined
      ? {}
      : { owner: { id: ownerId, kind: textIn(row, "owner_kind"), href: textIn(row, "owner_href") } }),
    references: jsonIn<References>(row, "links"),
    tenancy: jsonIn<TextMap>(row, "tenancy"),
    conditions: allConditions(jsonIn<readonly ResourceCondition[]>(row, "conditions")),
  };
}

/** The resource in a row, with its statuses by name. */
export function storedOf(row: SqlRow): Stored {
  const texts = row["statuses"] === null ? [] : jsonIn<readonly string[]>(row, "statuses");
  // They were written from this very type.
  const statuses = texts.map((text) => parseJson(text) as unknown as AdapterStatus);
  return {
    resource: resourceOf(row),
    revision: integerIn(row, "revision"),
    statuses: statuses.toSorted((a, b) => (a.adapter < b.adapter ? -1 : 1)),
    children: integerIn(row, "children"),
  };
}

/** What of a resource may change, as columns. */
export function changingColumns(resource: Resource): Readonly<Record<string, SqlValue>> {
  const kept = keptConditions(resource.conditions);
  return {
    id: resource.id,
    generation: resource.generation,
    updated_by: resource.updatedBy,
    updated_time: resource.updatedTime,
    deleted_by: resource.deletion?.by ?? null,
    deleted_time: resource.deletion?.time ?? null,
    conditions: stringifyJson(kept),
    types: kept.map(({ type }) => type).join("\n"),
  };
}

/** What of a resource its user declares, as columns. */
export function declaredColumns({ spec, labels, references }: Resource): Readonly<Record<string, SqlValue>> {
  return { ...specColumns(spec), labels: stringifyJson(labels), links: stringifyJson(references) };
}

/** What of a resource never changes, as columns. */
export function lastingColumns(resource: Resource): Readonly<Record<string, SqlValue>> {
  return {
    kind: resource.kind,
    name: resource.name,
    href: resource.href,
    owner_id: resource.owner?.id ?? null,
    owner_kind: resource.owner?.kind ?? null,
    owner_href: resource.owner?.href ?? null,
    created_by: resource.createdBy,
    created_time: resource.createdTime,
    tenancy: canonicalJson(resource.tenancy),
  };
}

/** The tenancy to look for; undefined for everybody's. */
export function tenancyOf(scope: TenantScope): string | undefined {
  return scope.kind === "all" ? undefined : canonicalJson(scope.tenancy);
}

/** Half of a character, or the character of code 0: JSON in PostgreSQL cannot hold them. A number with an exponent it would write out. */
const UNHOLDABLE = /\\u(?:0000|d[89a-f])|[:,[]-?\d[\d.]*e/i;

function specColumns(spec: JsonObject): Readonly<Record<string, SqlValue>> {
  const text = stringifyJson(spec);
  return UNHOLDABLE.test(text) ? { spec: stringifyJson(holdable(spec)), spec_exact: text } : { spec: text };
}

function holdable(value: unknown): unknown {
  if (typeof value === "string") return holdableText(value);
  if (Array.isArray(value)) return value.map(holdable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [holdableText(key), holdable(item)]));
}

/** A text that any database can hold. */
export function holdableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

function jsonIn<T>(row: SqlRow, column: string): T {
  // It was written from this very type.
  return parseJson(textIn(row, column)) as unknown as T;
}
