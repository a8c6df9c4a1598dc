import type { AdapterStatus } from "./adapter-status.ts";
import type { Actor } from "./change.ts";
import type { FleetKind } from "./kind.ts";
import type { FieldProblem } from "./problem.ts";
import { isDeleting } from "./resource.ts";
import type { Resource, ResourceReference } from "./resource.ts";
import { settle } from "./settle.ts";

/** The most characters of the reason for a forced deletion. */
export const FORCE_REASON_MAX = 1_024;

/** A resource with everything below it, and who refers to it. */
export interface Family {
  readonly kind: FleetKind;
  readonly resource: Resource;
  readonly statuses: readonly AdapterStatus[];
  readonly children: readonly Family[];
  /** The resources that refer to this one. */
  readonly referencers: readonly ResourceReference[];
}

/**
 * What becomes of a request to delete. `resource` is what the answer shows. `marked` are those that now wait for their adapters and
 * children, `removed` those that had nothing to wait for; children come before their parents.
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
 * Deletes a resource, and its children where their kind says `cascade`. An active child whose kind says `restrict`, anywhere below,
 * refuses the whole; so does a reference from outside. Asking again changes nothing. Throws a RuleError.
 */
export function decideDelete(family: Family, actor: Actor): DeleteDecision {
  if (isDeleting(family.resource)) return { kind: "unchanged", resource: family.resource };
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

function restrictingIn({ kind, resource, children }: Family): readonly Resource[] {
  if (!isDeleting(resource) && kind.parent?.onDelete !== "cascade") return [resource];
  return children.flatMap(restrictingIn);
}

/** A family in a row, children before parents. */
function membersOf(family: Family): readonly Family[] {
  return [...family.children.flatMap(membersOf), family];
}

interface Closed {
  readonly resource: Resource;
  readonly isGone: boolean;
  readonly marked: readonly Resource[];
  readonly removed: readonly Resource[];
}

function close(family: Family, actor: Actor): Closed {
  const below = family.children.map((child) => close(child, actor));
  const marked = below.flatMap((child) => child.marked);
  const removed = below.flatMap((child) => child.removed);
  const children = below.filter(({ isGone }) => !isGone).length;
  const { kind, statuses } = family;
  const isNew = !isDeleting(family.resource);
  const resource = isNew ? mark(family.resource, actor) : family.resource;
  const settled = settle({ kind, resource, statuses, children, causeTime: actor.now });
  if (settled.kind === "gone") {
    return { resource: settled.resource, isGone: true, marked, removed: [...removed, settled.resource] };
  }
  // What was being deleted before stays as it was.
  if (!isNew) return { resource, isGone: false, marked, removed };
  return { resource: settled.resource, isGone: false, marked: [...marked, settled.resource], removed };
}

/** A deletion is a new declaration: adapters must reach it. It refers to nothing any more. */
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

/** What becomes of a request to delete by force. `removed` has children before parents; what refers to them is to be cleared. */
export type ForceDeleteDecision =
  | { readonly kind: "accepted"; readonly removed: readonly Resource[] }
  | { readonly kind: "refused"; readonly reason: "NotFinalizing" }
  | { readonly kind: "invalid"; readonly problems: readonly FieldProblem[] };

/**
 * Removes a resource that is being deleted without waiting any longer, with everything below it. Only the records go: what adapters
 * have made stays behind. That is why it needs a reason, for the audit.
 */
export function decideForceDelete(family: Family, reason: unknown): ForceDeleteDecision {
  const length = typeof reason === "string" ? Array.from(reason).length : 0;
  if (length === 0) {
    return { kind: "invalid", problems: [{ field: "reason", message: "reason is required", constraint: "required" }] };
  }
  if (length > FORCE_REASON_MAX) {
    const message = `reason must be at most ${FORCE_REASON_MAX} characters`;
    return { kind: "invalid", problems: [{ field: "reason", message, constraint: "max" }] };
  }
  if (!isDeleting(family.resource)) return { kind: "refused", reason: "NotFinalizing" };
  return { kind: "accepted", removed: membersOf(family).map(({ resource }) => resource) };
}
