import { deepEqual } from "@levelset/core";
import type { Resource } from "../../resource/index.ts";
import { matches } from "../../search/index.ts";
import type { WatchRequest } from "../watcher.ts";

/** Whether a watcher may ever hear of a resource: what decides it never changes while the resource lives. */
export function concerns(request: WatchRequest, resource: Resource): boolean {
  const { scope } = request.caller;
  return (
    (scope.kind === "all" || deepEqual(scope.tenancy, resource.tenancy)) &&
    (request.kind === undefined || request.kind === resource.kind) &&
    (request.ownerId === undefined || request.ownerId === resource.owner?.id)
  );
}

/** Whether what a watcher looks for may change while the resource lives. */
export function isNarrowed({ search, reference }: WatchRequest): boolean {
  return search !== undefined || reference !== undefined;
}

/** Whether a resource is, just now, what a watcher looks for. */
export function isWanted({ search, reference }: WatchRequest, resource: Resource): boolean {
  if (!matches(search, resource)) return false;
  if (reference === undefined) return true;
  const targets = Object.hasOwn(resource.references, reference.type) ? resource.references[reference.type] : undefined;
  return targets?.some(({ id }) => id === reference.targetId) ?? false;
}
