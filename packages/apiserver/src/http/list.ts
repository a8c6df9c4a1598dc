import { StatusError } from "@levelset/core";
import type { FieldError } from "@levelset/core";
import { badRequest, viewOf } from "../registry/index.ts";
import type { Registry, Resource, View } from "../registry/index.ts";
import type { Listing, StoredRecord } from "../store/index.ts";
import type { ListMeta } from "./presenter.ts";
import { refuse, selectionOf, whole } from "./query.ts";
import type { Matcher } from "./query.ts";

/** One page of a list. */
export interface Page {
  readonly views: readonly View[];
  readonly meta: ListMeta;
}

/** What to list. `namespace` is undefined for all. */
export interface ListScope {
  readonly resource: Resource;
  readonly namespace: string | undefined;
}

/** Where a list goes on: after the object `start` of the snapshot at `revision`. */
interface Continue {
  readonly revision: number;
  readonly start: string;
}

/** Answers a list request from one snapshot, page by page. */
export function listPage(registry: Registry, scope: ListScope, query: URLSearchParams): Page {
  const { matches, isEverything } = selectionOf(query, scope.resource);
  const limit = whole(query, "limit") ?? 0;
  const token = query.get("continue") ?? "";
  const from = token === "" ? undefined : parseToken(token, query);
  const listing = snapshot(registry, scope, from, query);
  const after = from === undefined ? listing.records : listing.records.filter((record) => orderOf(record) > from.start);
  const found = takePage(scope.resource, after, limit, matches);
  const resourceVersion = String(listing.revision);
  const last = after[found.position - 1];
  if (last === undefined || found.position >= after.length) return { views: found.views, meta: { resourceVersion } };
  const next = formatToken({ revision: listing.revision, start: orderOf(last) });
  const remaining = isEverything ? { remainingItemCount: after.length - found.position } : {};
  return { views: found.views, meta: { resourceVersion, continue: next, ...remaining } };
}

/** The first `limit` selected objects (0: all), and how many records were looked at to find them. */
function takePage(
  resource: Resource,
  records: readonly StoredRecord[],
  limit: number,
  matches: Matcher,
): { readonly views: readonly View[]; readonly position: number } {
  const views: View[] = [];
  for (const [position, record] of records.entries()) {
    if (limit > 0 && views.length === limit) return { views, position };
    const view = viewOf(resource, record);
    if (matches(view.object)) views.push(view);
  }
  return { views, position: records.length };
}

function orderOf(record: StoredRecord): string {
  return `${record.key.namespace}/${record.key.name}`;
}

function snapshot(registry: Registry, scope: ListScope, from: Continue | undefined, query: URLSearchParams): Listing {
  const at = from?.revision ?? exactRevision(registry, query);
  const where = {
    resource: scope.resource.id,
    ...(scope.namespace === undefined ? {} : { namespace: scope.namespace }),
  };
  const listing = registry.store.list(where, at);
  if (listing.kind === "listing") return listing;
  throw new StatusError(
    "Expired",
    from === undefined
      ? "The resourceVersion for the provided list is too old."
      : "The provided continue parameter is too old to display a consistent list result. You can start a new list without " +
          "the continue parameter.",
  );
}

/** The revision that a list must have exactly; undefined for the latest. */
function exactRevision(registry: Registry, query: URLSearchParams): number | undefined {
  const version = query.get("resourceVersion") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  refuse("ListOptions", matchErrors(version, match));
  const revision = atLeast(registry, query);
  return match === "Exact" ? revision : undefined;
}

function matchErrors(version: string, match: string): readonly FieldError[] {
  const forbidden = (why: string): FieldError => ({
    reason: "FieldValueForbidden",
    field: "resourceVersionMatch",
    message: `Forbidden: ${why}`,
  });
  if (match === "") return [];
  if (version === "") return [forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided")];
  if (match === "Exact" && version === "0") {
    return [forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')];
  }
  if (match === "Exact" || match === "NotOlderThan") return [];
  const message = `Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan", ""`;
  return [{ reason: "FieldValueNotSupported", field: "resourceVersionMatch", message }];
}

/** The revision that a read must not be older than. Throws Timeout for one that has not been reached. */
export function atLeast(registry: Registry, query: URLSearchParams): number {
  const revision = whole(query, "resourceVersion") ?? 0;
  const current = registry.store.revision;
  if (revision <= current) return revision;
  throw new StatusError("Timeout", `Too large resource version: ${revision}, current: ${current}`, {
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });
}

function formatToken(token: Continue): string {
  const text = JSON.stringify({ v: "meta.k8s.io/v1", rv: token.revision, start: token.start });
  return Buffer.from(text, "utf8").toString("base64url");
}

function parseToken(token: string, query: URLSearchParams): Continue {
  const version = query.get("resourceVersion") ?? "";
  if (version !== "" && version !== "0") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  const [revision, start] = readToken(token);
  if (typeof revision !== "number" || !Number.isSafeInteger(revision) || typeof start !== "string") {
    throw badRequest("continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  return { revision, start };
}

function readToken(token: string): readonly [unknown, unknown] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    if (typeof parsed !== "object" || parsed === null) return [undefined, undefined];
    return ["rv" in parsed ? parsed.rv : undefined, "start" in parsed ? parsed.start : undefined];
  } catch {
    return [undefined, undefined]; // not ours: reported as invalid by the caller
  }
}
