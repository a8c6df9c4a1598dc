import { StatusError } from "@levelset/core";
import { badRequest, viewOf } from "../registry/index.ts";
import type { Registry, Resource, View } from "../registry/index.ts";
import type { Listing, StoredRecord } from "../store/index.ts";
import { formatContinue, parseContinue } from "./continue.ts";
import type { Continue } from "./continue.ts";
import { listOptionsOf } from "./list-options.ts";
import type { ListOptions } from "./list-options.ts";
import type { ListMeta } from "./presenter.ts";
import { revisionOf, selectionOf } from "./query.ts";
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

/** Answers a list request from one snapshot, page by page. */
export function listPage(registry: Registry, scope: ListScope, query: URLSearchParams): Page {
  const options = listOptionsOf(query, false);
  const { matches, isEverything } = selectionOf(query, scope.resource);
  const asked = revisionOf(query);
  const from = continueOf(query, asked);
  const listing = snapshot(registry, scope, from, options, asked);
  const after =
    from === undefined ? listing.records : listing.records.filter((record) => orderOf(record) >= from.start);
  // "Any state will do" has always meant all of it at once.
  const limit = asked === 0 && from === undefined ? 0 : options.limit;
  const found = takePage(scope.resource, after, limit, matches);
  const resourceVersion = String(listing.revision);
  const last = after[found.position - 1];
  if (last === undefined || found.position >= after.length) return { views: found.views, meta: { resourceVersion } };
  const next = formatContinue({ revision: listing.revision, start: `${orderOf(last)}\0` });
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
    if (matches(view)) views.push(view);
  }
  return { views, position: records.length };
}

function orderOf(record: StoredRecord): string {
  return `${record.key.namespace}/${record.key.name}`;
}

function continueOf(query: URLSearchParams, asked: number | undefined): Continue | undefined {
  const token = query.get("continue") ?? "";
  if (token === "") return undefined;
  if ((asked ?? 0) !== 0) throw badRequest("specifying resource version is not allowed when using continue");
  return parseContinue(token);
}

const TOO_OLD =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the " +
  "continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with " +
  "the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the " +
  "first chunk was returned and now may show up in the list.";

function snapshot(
  registry: Registry,
  scope: ListScope,
  from: Continue | undefined,
  options: ListOptions,
  asked: number | undefined,
): Listing {
  checkReached(registry, from?.revision ?? asked ?? 0);
  const where = {
    resource: scope.resource.id,
    ...(scope.namespace === undefined ? {} : { namespace: scope.namespace }),
  };
  const listing = registry.store.list(where, from === undefined ? exactRevision(options, asked) : from.revision);
  if (listing.kind === "listing") return listing;
  if (from === undefined) throw new StatusError("Expired", "The resourceVersion for the provided list is too old.");
  throw new StatusError("Expired", TOO_OLD, { continueToken: formatContinue({ ...from, revision: undefined }) });
}

/** The revision that a list must have exactly; undefined for the latest. A page of a known state starts from just that state. */
function exactRevision({ match, limit }: ListOptions, asked: number | undefined): number | undefined {
  const isExact = match === "Exact" || (match === "" && limit > 0 && asked !== 0);
  return isExact ? asked : undefined;
}

/** Refuses a read that must not be older than a revision which has not been reached. */
export function checkReached(registry: Registry, revision: number): void {
  const current = registry.store.revision;
  if (revision <= current) return;
  throw new StatusError("Timeout", `Timeout: Too large resource version: ${revision}, current: ${current}`, {
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });
}
