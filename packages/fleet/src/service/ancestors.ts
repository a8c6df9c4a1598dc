import { deepEqual } from "@levelset/core";
import { isDeleting, settle } from "../resource/index.ts";
import type { Resource } from "../resource/index.ts";
import { EVERY_TENANT } from "../store/index.ts";
import type { ChangeSet, Stored } from "../store/index.ts";
import { kindOf } from "./context.ts";
import type { FleetContext } from "./context.ts";

/** The part of a change that is about the resources above. */
export type Above = Required<Pick<ChangeSet, "updated" | "touched" | "removed" | "work">>;

const NOTHING: Above = { updated: [], touched: [], removed: [], work: [] };

/** What a parent becomes when it has one child more. */
export function withChild(context: FleetContext, parent: Stored, causeTime: number): Above {
  return settleParent(context, parent, parent.children + 1, causeTime);
}

/**
 * What becomes of everything above a resource that is gone. A parent that waited for it alone is gone too, and so on upwards;
 * one that is being deleted is announced, for its adapters may have waited for its last child. Throws a RuleError.
 */
export async function withoutChild(context: FleetContext, gone: Resource, causeTime: number): Promise<Above> {
  if (gone.owner === undefined) return NOTHING;
  const parent = await context.store.load({ id: gone.owner.id, scope: EVERY_TENANT });
  // Somebody removed the whole family meanwhile: the commit will not hold.
  if (parent === undefined) return NOTHING;
  const above = settleParent(context, parent, parent.children - 1, causeTime);
  if (above.removed.length === 0) return above;
  const higher = await withoutChild(context, parent.resource, causeTime);
  return { ...higher, removed: [...above.removed, ...higher.removed] };
}

function settleParent(context: FleetContext, parent: Stored, children: number, causeTime: number): Above {
  const { revision, statuses } = parent;
  const kind = kindOf(context, parent.resource);
  const settled = settle({ kind, resource: parent.resource, statuses, children, causeTime });
  const { resource } = settled;
  const update = { resource, revision, isDeclared: false };
  if (settled.kind === "gone") return { ...NOTHING, removed: [update] };
  const isAlone = isDeleting(resource) && children === 0;
  const isSame = deepEqual(resource.conditions, parent.resource.conditions);
  const work =
    isSame && !isAlone ? [] : [context.planner.work({ kind, resource, statuses }, isAlone ? "wake" : undefined)];
  return isSame
    ? { ...NOTHING, touched: [{ id: resource.id, revision }], work }
    : { ...NOTHING, updated: [update], work };
}
