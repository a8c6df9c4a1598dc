import { deepEqual } from "@levelset/core/internal";
import type { Resource } from "../../resource/index.ts";
import { matchesSearch } from "../../search/index.ts";
import type { WatchQuery } from "../watcher.ts";

/** Returns true if a resource is in the watch's scope, which never changes during the life of a resource. */
export function matchesScope(request: WatchQuery, resource: Resource): boolean {
  const { scope } = request.caller;
  return (
    (scope.kind === "all" || deepEqual(scope.tenancy, resource.tenancy)) &&
    (request.kind === undefined || request.kind === resource.kind) &&
    (request.ownerId === undefined || request.ownerId === resource.owner?.id)
  );
}

/** Returns true if the watch has a filter whose result can change during the life of a resource. */
export function hasMutableFilter({ search, reference }: WatchQuery): boolean {
  return search !== undefined || reference !== undefined;
}

/** Returns true if a resource matches the watch's filter now. */
export function matchesFilter({ search, reference }: WatchQuery, resource: Resource): boolean {
  if (!matchesSearch(search, resource)) return false;
  if (reference === undefined) return true;
  const targets = Object.hasOwn(resource.references, reference.type) ? resource.references[reference.type] : undefined;
  return targets?.some(({ id }) => id === reference.targetId) ?? false;
}
