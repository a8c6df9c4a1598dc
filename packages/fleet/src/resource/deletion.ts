import type { AdapterStatus } from "./report/adapter-status.ts";
import type { Actor } from "./resource-change.ts";
import type { FleetKind } from "./kind/kind.ts";
import type { FieldProblem } from "./field-problem.ts";
import { isResourceDeleting } from "./resource.ts";
import type { Resource, ResourceReference } from "./resource.ts";
import { evaluateResource } from "./evaluate-resource.ts";

/** Maximum length of the reason of a forced deletion. */
export const FORCE_REASON_MAX = 1_024;

/** A resource with all its descendants and the resources that refer to it. */
export interface ResourceTree {
  readonly kind: FleetKind;
  readonly resource: Resource;
  readonly statuses: readonly AdapterStatus[];
  readonly children: readonly ResourceTree[];
  /** Resources that refer to this one. */
  readonly referencers: readonly ResourceReference[];
}

/**
 * Result of a deletion request. `resource` is shown in the response. `marked` resources wait for adapters and
 * children; `removed` ones had nothing to wait for. Children come before parents.
 */
export type DeleteDecision =
  | {
      readonly kind: "accepted";
      readonly resource: Resource;
      readonly marked: readonly Resource[];
      readonly removed: readonly Resource[];
    }
  | { readonly kind: "unchanged"; readonly resource: Resource }
  | { readonly kind: "refused"; readonly reason: "ActiveChildren" | "Referenced"; readonly message: string };

/**
 * Deletes a resource, and its children of kinds with `cascade`. An active descendant of a kind with `restrict` rejects
 * the whole request, as does a reference from outside. Idempotent. Throws a RuleError.
 */
export function decideDelete(family: ResourceTree, actor: Actor): DeleteDecision {
  if (isResourceDeleting(family.resource)) return { kind: "unchanged", resource: family.resource };
  const restricting = family.children.flatMap(restrictingIn);
  if (restricting.length > 0) {
    const names = restricting.map(({ kind, name }) => `${kind} ${name}`).join(", ");
    const message = `cannot delete ${family.resource.kind}: active children exist: ${names}`;
    return { kind: "refused", reason: "ActiveChildren", message };
  }
  const members = membersOf(family);
  const inside = new Set(members.map(({ resource }) => resource.id));
  const referencers = members.flatMap((member) => member.referencers).filter(({ id }) => !inside.has(id));
  if (referencers.length > 0) {
    const names = referencers.map(({ kind, id }) => `${kind} ${id}`).join(", ");
    const message = `cannot delete ${family.resource.kind}: it is referenced by ${names}`;
    return { kind: "refused", reason: "Referenced", message };
  }
  const { resource, marked, removed } = close(family, actor);
  return { kind: "accepted", resource, marked, removed };
}

function restrictingIn({ kind, resource, children }: ResourceTree): readonly Resource[] {
  if (!isResourceDeleting(resource) && kind.parent?.onDelete !== "cascade") return [resource];
  return children.flatMap(restrictingIn);
}

/** Returns all members of a tree, children before parents. */
function membersOf(family: ResourceTree): readonly ResourceTree[] {
  return [...family.children.flatMap(membersOf), family];
}

interface Closed {
  readonly resource: Resource;
  readonly isGone: boolean;
  readonly marked: readonly Resource[];
  readonly removed: readonly Resource[];
}

function close(family: ResourceTree, actor: Actor): Closed {
  const below = family.children.map((child) => close(child, actor));
  const marked = below.flatMap((child) => child.marked);
  const removed = below.flatMap((child) => child.removed);
  const children = below.filter(({ isGone }) => !isGone).length;
  const { kind, statuses } = family;
  const isNew = !isResourceDeleting(family.resource);
  const resource = isNew ? mark(family.resource, actor) : family.resource;
  const settled = evaluateResource({ kind, resource, statuses, children, causeTime: actor.now });
  if (settled.kind === "gone") {
    return { resource: settled.resource, isGone: true, marked, removed: [...removed, settled.resource] };
  }
  // A resource that was being deleted before stays unchanged.
  if (!isNew) return { resource, isGone: false, marked, removed };
  return { resource: settled.resource, isGone: false, marked: [...marked, settled.resource], removed };
}

/** A deletion is a new generation that adapters must reach. Its references are cleared. */
function mark(resource: Resource, { by, now }: Actor): Resource {
  return {
    ...resource,
    generation: resource.generation + 1,
    updatedTime: now,
    updatedBy: by,
    deletion: { time: now, by },
    references: {},
  };
}

/** Result of a forced deletion. `removed` has children before parents; references to them must be cleared. */
export type ForceDeleteDecision =
  | { readonly kind: "accepted"; readonly removed: readonly Resource[] }
  | { readonly kind: "refused"; readonly reason: "NotFinalizing" }
  | { readonly kind: "invalid"; readonly problems: readonly FieldProblem[] };

/**
 * Removes a resource in deletion with all its descendants, without waiting. Only the records are removed: objects
 * created by adapters stay. Therefore a reason is required for the audit log.
 */
export function decideForceDelete(family: ResourceTree, reason: unknown): ForceDeleteDecision {
  const length = typeof reason === "string" ? Array.from(reason).length : 0;
  if (length === 0) {
    return { kind: "invalid", problems: [{ field: "reason", message: "reason is required", constraint: "required" }] };
  }
  if (length > FORCE_REASON_MAX) {
    const message = `reason must be at most ${FORCE_REASON_MAX} characters`;
    return { kind: "invalid", problems: [{ field: "reason", message, constraint: "max" }] };
  }
  if (!isResourceDeleting(family.resource)) return { kind: "refused", reason: "NotFinalizing" };
  return { kind: "accepted", removed: membersOf(family).map(({ resource }) => resource) };
}
