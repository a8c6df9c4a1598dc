import { StatusError } from "@levelset/core";
import { badRequestError } from "../resource/index.ts";
import { versionedObjectOf } from "../registry/index.ts";
import type { Registry, VersionedObject } from "../registry/index.ts";
import type { Resource } from "../resource/index.ts";
import type { StoreList, StoredRecord } from "../store/index.ts";
import { encodeContinue, decodeContinue } from "./request/continue-token.ts";
import type { ContinueToken } from "./request/continue-token.ts";
import { parseListOptions } from "./request/list-options.ts";
import type { ListOptions } from "./request/list-options.ts";
import type { ListMeta } from "./response-encoder.ts";
import { resourceVersionParam, selectionPredicateOf } from "./request/query-params.ts";
import type { ObjectMatcher } from "./request/query-params.ts";

/** One page of a list. */
export interface ListPage {
  readonly views: readonly VersionedObject[];
  readonly meta: ListMeta;
}

/** Scope of a list. `namespace` is undefined for all namespaces. */
export interface ListScope {
  readonly resource: Resource;
  readonly namespace: string | undefined;
}

/**
 * Lists objects from one snapshot, page by page. Throws BadRequest for invalid parameters and Expired for a compacted
 * revision.
 */
export function listObjects(registry: Registry, scope: ListScope, query: URLSearchParams): ListPage {
  const options = parseListOptions(query, false);
  const { matches, matchesEverything } = selectionPredicateOf(query, scope.resource);
  const requestedRevision = resourceVersionParam(query);
  const from = continueOf(query, requestedRevision);
  const listing = snapshot(registry, scope, from, options, requestedRevision);
  const after =
    from === undefined ? listing.records : listing.records.filter((record) => orderOf(record) >= from.start);
  // With resourceVersion=0 kube-apiserver ignores the limit (`k8s.io/apiserver/pkg/storage/cacher`, Kubernetes 1.36).
  const limit = requestedRevision === 0 && from === undefined ? 0 : options.limit;
  const found = takePage(scope.resource, after, limit, matches);
  const resourceVersion = String(listing.revision);
  const last = after[found.position - 1];
  if (last === undefined || found.position >= after.length) return { views: found.views, meta: { resourceVersion } };
  const next = encodeContinue({ revision: listing.revision, start: `${orderOf(last)}\0` });
  const remaining = matchesEverything ? { remainingItemCount: after.length - found.position } : {};
  return { views: found.views, meta: { resourceVersion, continue: next, ...remaining } };
}

/** Returns the first `limit` matching objects (0: all) and the number of records scanned. */
function takePage(
  resource: Resource,
  records: readonly StoredRecord[],
  limit: number,
  matches: ObjectMatcher,
): { readonly views: readonly VersionedObject[]; readonly position: number } {
  const views: VersionedObject[] = [];
  for (const [position, record] of records.entries()) {
    if (limit > 0 && views.length === limit) return { views, position };
    const view = versionedObjectOf(resource, record);
    if (matches(view)) views.push(view);
  }
  return { views, position: records.length };
}

function orderOf(record: StoredRecord): string {
  return `${record.key.namespace}/${record.key.name}`;
}

function continueOf(query: URLSearchParams, requestedRevision: number | undefined): ContinueToken | undefined {
  const token = query.get("continue") ?? "";
  if (token === "") return undefined;
  if ((requestedRevision ?? 0) !== 0)
    throw badRequestError("specifying resource version is not allowed when using continue");
  return decodeContinue(token);
}

const TOO_OLD =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the " +
  "continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with " +
  "the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the " +
  "first chunk was returned and now may show up in the list.";

function snapshot(
  registry: Registry,
  scope: ListScope,
  from: ContinueToken | undefined,
  options: ListOptions,
  requestedRevision: number | undefined,
): StoreList {
  checkRevisionReached(registry, from?.revision ?? requestedRevision ?? 0);
  const where = {
    resource: scope.resource.id,
    ...(scope.namespace === undefined ? {} : { namespace: scope.namespace }),
  };
  const listing = registry.store.list(
    where,
    from === undefined ? exactRevision(options, requestedRevision) : from.revision,
  );
  if (listing.kind === "listing") return listing;
  if (from === undefined) throw new StatusError("Expired", "The resourceVersion for the provided list is too old.");
  throw new StatusError("Expired", TOO_OLD, { continueToken: encodeContinue({ ...from, revision: undefined }) });
}

/**
 * The revision that a list must show exactly; undefined for the latest. A page with a version shows exactly that
 * version.
 */
function exactRevision({ match, limit }: ListOptions, requestedRevision: number | undefined): number | undefined {
  const isExact = match === "Exact" || (match === "" && limit > 0 && requestedRevision !== 0);
  return isExact ? requestedRevision : undefined;
}

/** Rejects a read at a revision that the store has not reached. */
export function checkRevisionReached(registry: Registry, revision: number): void {
  const current = registry.store.revision;
  if (revision <= current) return;
  throw new StatusError("Timeout", `Timeout: Too large resource version: ${revision}, current: ${current}`, {
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });
}
