import { deepEqual } from "@levelset/core/internal";
import { isResourceDeleting, evaluateResource } from "../resource/index.ts";
import type { Resource } from "../resource/index.ts";
import { EVERY_TENANT } from "../store/index.ts";
import type { ChangeSet, StoredResource } from "../store/index.ts";
import { kindOfResource } from "./fleet-context.ts";
import type { FleetContext } from "./fleet-context.ts";

/** The changes of the ancestors of a resource. */
export type AncestorChanges = Required<Pick<ChangeSet, "updated" | "touched" | "removed" | "work">>;

const NO_CHANGES: AncestorChanges = { updated: [], touched: [], removed: [], work: [] };

/** Returns the changes of a parent that gets a new child. */
export function withChild(context: FleetContext, parent: StoredResource, causeTime: number): AncestorChanges {
  return settleParent(context, parent, parent.children + 1, causeTime);
}

/**
 * Returns the changes of all ancestors of a removed resource. A parent that only waited for it is removed too, and so
 * on upwards; a parent that is being deleted is pulsed, because its adapters may have waited for its last child. Throws
 * a `RuleError`.
 */
export async function withoutChild(
  context: FleetContext,
  removed: Resource,
  causeTime: number,
): Promise<AncestorChanges> {
  if (removed.owner === undefined) return NO_CHANGES;
  const parent = await context.store.load({ id: removed.owner.id, scope: EVERY_TENANT });
  // The whole tree was removed concurrently: the commit will conflict.
  if (parent === undefined) return NO_CHANGES;
  const above = settleParent(context, parent, parent.children - 1, causeTime);
  if (above.removed.length === 0) return above;
  const higher = await withoutChild(context, parent.resource, causeTime);
  return { ...higher, removed: [...above.removed, ...higher.removed] };
}

function settleParent(
  context: FleetContext,
  parent: StoredResource,
  children: number,
  causeTime: number,
): AncestorChanges {
  const { revision, statuses } = parent;
  const kind = kindOfResource(context, parent.resource);
  const settled = evaluateResource({ kind, resource: parent.resource, statuses, children, causeTime });
  const { resource } = settled;
  const update = { resource, revision, isDeclared: false };
  if (settled.kind === "gone") return { ...NO_CHANGES, removed: [update] };
  const isAlone = isResourceDeleting(resource) && children === 0;
  const isSame = deepEqual(resource.conditions, parent.resource.conditions);
  const work =
    isSame && !isAlone ? [] : [context.planner.work({ kind, resource, statuses }, isAlone ? "wake" : undefined)];
  return isSame
    ? { ...NO_CHANGES, touched: [{ id: resource.id, revision }], work }
    : { ...NO_CHANGES, updated: [update], work };
}
