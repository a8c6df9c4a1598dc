import { canonicalJson, parseJson, stringifyJson } from "@levelset/core/internal";
import type { JsonObject } from "@levelset/core";
import { allConditions, storedConditions } from "../resource/index.ts";
import type { AdapterStatus, References, Resource, ResourceCondition, TextMap } from "../resource/index.ts";
import type { Dialect } from "./dialect.ts";
import { integerIn, optionalInteger, optionalText, textIn } from "./sql-row.ts";
import type { SqlRow, SqlValue } from "./sql-row.ts";
import type { StoredResource, TenantScope } from "./stored-resource.ts";

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

/** Returns the columns of a resource, for SELECT. */
export function resourceColumns(dialect: Dialect, alias = "r"): string {
  return [...COLUMNS.map((name) => `${alias}.${name}`), `${dialect.spec(alias)} AS spec`].join(", ");
}

/** Returns the columns of a stored resource, for SELECT. */
export function storedColumns(dialect: Dialect): string {
  return `${resourceColumns(dialect)},
    (SELECT count(*) FROM resources c WHERE c.owner_id = r.id) AS children,
    (SELECT ${dialect.jsonArrayAgg("s.body")} FROM adapter_statuses s WHERE s.resource_id = r.id) AS statuses`;
}

/** Converts a row to a resource. */
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

/** Converts a row to a stored resource, with its statuses sorted by adapter name. */
export function storedResourceOf(row: SqlRow): StoredResource {
  const texts = row["statuses"] === null ? [] : jsonIn<readonly string[]>(row, "statuses");
  // The column is only written from this type.
  const statuses = texts.map((text) => parseJson(text) as unknown as AdapterStatus);
  return {
    resource: resourceOf(row),
    revision: integerIn(row, "revision"),
    statuses: statuses.toSorted((a, b) => (a.adapter < b.adapter ? -1 : 1)),
    children: integerIn(row, "children"),
  };
}

/** Returns the mutable fields of a resource as columns. */
export function mutableColumns(resource: Resource): Readonly<Record<string, SqlValue>> {
  const stored = storedConditions(resource.conditions);
  return {
    id: resource.id,
    generation: resource.generation,
    updated_by: resource.updatedBy,
    updated_time: resource.updatedTime,
    deleted_by: resource.deletion?.by ?? null,
    deleted_time: resource.deletion?.time ?? null,
    conditions: stringifyJson(stored),
    types: stored.map(({ type }) => type).join("\n"),
  };
}

/** Returns the user-declared fields of a resource as columns. */
export function declaredColumns({ spec, labels, references }: Resource): Readonly<Record<string, SqlValue>> {
  return { ...specColumns(spec), labels: stringifyJson(labels), links: stringifyJson(references) };
}

/** Returns the immutable fields of a resource as columns. */
export function immutableColumns(resource: Resource): Readonly<Record<string, SqlValue>> {
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

/** Returns the tenancy to filter by; undefined for all tenants. */
export function tenancyOf(scope: TenantScope): string | undefined {
  return scope.kind === "all" ? undefined : canonicalJson(scope.tenancy);
}

/**
 * Matches a lone surrogate or U+0000, which PostgreSQL's JSON types reject, and a number with an exponent, which jsonb
 * would write out in full.
 */
const UNSTORABLE = /\\u(?:0000|d[89a-f])|[:,[]-?\d[\d.]*e/i;

function specColumns(spec: JsonObject): Readonly<Record<string, SqlValue>> {
  const text = stringifyJson(spec);
  return UNSTORABLE.test(text) ? { spec: stringifyJson(storable(spec)), spec_exact: text } : { spec: text };
}

function storable(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), storable(item)]));
}

/** Replaces characters that a database cannot store. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

function jsonIn<T>(row: SqlRow, column: string): T {
  // The column is only written from this type.
  return parseJson(textIn(row, column)) as unknown as T;
}
