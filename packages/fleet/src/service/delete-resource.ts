import { decideDelete, decideForceDelete } from "../resource/index.ts";
import type { ResourceTree, Resource } from "../resource/index.ts";
import type { ExpectedRevision, StoredResource, StoredTree, ResourceUpdate } from "../store/index.ts";
import { withoutChild } from "./ancestors.ts";
import type { AncestorChanges } from "./ancestors.ts";
import type { Caller } from "./caller.ts";
import {
  rejectSystemCaller,
  checkGeneration,
  journalEntryOf,
  idempotentResponseFor,
  kindOfResource,
  resourceNotFound,
  describeTarget,
  unchangedDecision,
} from "./fleet-context.ts";
import type { FleetContext, MutationOptions, VersionedResource, ResourceTarget } from "./fleet-context.ts";
import { FleetError, invalidFields } from "./fleet-error.ts";
import type { MutationDecision, MutationResult } from "./mutation.ts";

/** A resource tree as it was read: for the decision, and by ID. */
interface ReadTree {
  readonly root: StoredResource;
  readonly family: ResourceTree;
  readonly byId: ReadonlyMap<string, StoredTree["members"][number]>;
}

/** Requests a deletion. A resource without anything to wait for is removed at once. */
export async function deleteResource(
  context: FleetContext,
  caller: Caller,
  target: ResourceTarget,
  options: MutationOptions,
): Promise<MutationResult<VersionedResource>> {
  return mutateTree(context, caller, target, options, (read) => decideOnDelete(context, caller, read, options));
}

async function decideOnDelete(
  context: FleetContext,
  caller: Caller,
  { root, family, byId }: ReadTree,
  options: MutationOptions,
): Promise<MutationDecision<VersionedResource>> {
  const now = context.clock.now();
  const decision = decideDelete(family, { by: caller.identity, now });
  if (decision.kind === "refused") throw new FleetError("state", decision.message);
  const { resource } = decision;
  if (decision.kind === "unchanged") {
    return unchangedDecision(context, caller, "delete", { resource, revision: root.revision }, options);
  }
  const versioned: VersionedResource = { resource, revision: root.revision + 1 };
  const isGone = decision.removed.includes(resource);
  const above = isGone ? await withoutChild(context, resource, now) : undefined;
  const changed = new Set([...decision.marked, ...decision.removed].map(({ id }) => id));
  const update = (after: Resource): ResourceUpdate => updateOf(byId, after);
  return {
    kind: "commit",
    change: {
      entry: journalEntryOf(context, caller, resource, { action: "delete", time: now }),
      ...merged(above, {
        updated: decision.marked.map(update),
        removed: decision.removed.map(update),
        touched: untouched(byId, changed),
        work: decision.marked.map((marked) => {
          const kind = kindOfResource(context, marked);
          return context.planner.work(
            { kind, resource: marked, statuses: byId.get(marked.id)?.statuses ?? [] },
            "delete",
          );
        }),
      }),
      ...idempotentResponseFor(options.idempotency, versioned, now),
    },
    result: versioned,
    parentId: resource.owner?.id,
  };
}

/**
 * Removes the records of a resource that is being deleted, and of all its descendants, without waiting for adapters.
 */
export async function forceDeleteResource(
  context: FleetContext,
  caller: Caller,
  target: ResourceTarget,
  reason: unknown,
  options: MutationOptions,
): Promise<MutationResult<VersionedResource>> {
  return mutateTree(context, caller, target, options, (read) => decideOnForce(context, caller, read, reason, options));
}

async function decideOnForce(
  context: FleetContext,
  caller: Caller,
  { root, family, byId }: ReadTree,
  reason: unknown,
  { idempotency }: MutationOptions,
): Promise<MutationDecision<VersionedResource>> {
  const now = context.clock.now();
  const decision = decideForceDelete(family, reason);
  const { resource } = root;
  if (decision.kind === "invalid") throw invalidFields(decision.problems);
  if (decision.kind === "refused") {
    throw new FleetError("state", `${describeTarget(resource)} is not being deleted: delete it first`);
  }
  const versioned: VersionedResource = { resource, revision: root.revision };
  const above = await withoutChild(context, resource, now);
  const details = { reason: String(reason) };
  return {
    kind: "commit",
    change: {
      entry: journalEntryOf(context, caller, resource, { action: "force-delete", time: now, details }),
      ...merged(above, {
        removed: decision.removed.map((removed) => updateOf(byId, removed)),
        updated: [],
        touched: [],
        work: [],
      }),
      ...idempotentResponseFor(idempotency, versioned, now),
    },
    result: versioned,
    parentId: resource.owner?.id,
  };
}

/** Runs a mutation of a resource and all its descendants. */
async function mutateTree(
  context: FleetContext,
  caller: Caller,
  target: ResourceTarget,
  options: MutationOptions,
  decide: (read: ReadTree) => Promise<MutationDecision<VersionedResource>>,
): Promise<MutationResult<VersionedResource>> {
  rejectSystemCaller(caller);
  return context.mutations.run({
    lockKey: target.id,
    subject: describeTarget(target),
    idempotency: options.idempotency,
    decide: async () => {
      const read = await readTree(context, caller, target);
      checkGeneration(read.root, options);
      return decide(read);
    },
  });
}

async function readTree(context: FleetContext, caller: Caller, target: ResourceTarget): Promise<ReadTree> {
  const stored = await context.store.loadTree({ ...target, scope: caller.scope });
  const root = stored?.members[0];
  if (stored === undefined || root === undefined) throw resourceNotFound(target);
  const byId = new Map(stored.members.map((member) => [member.resource.id, member]));
  const byOwner = Map.groupBy(stored.members.slice(1), ({ resource }) => resource.owner?.id);
  const tree = (member: StoredTree["members"][number]): ResourceTree => ({
    kind: kindOfResource(context, member.resource),
    resource: member.resource,
    statuses: member.statuses,
    children: (byOwner.get(member.resource.id) ?? []).map(tree),
    referencers: member.referencers.map(({ id, kind, href }) => ({ id, kind, href })),
  });
  return { root, family: tree(root), byId };
}

function updateOf(byId: ReadTree["byId"], after: Resource): ResourceUpdate {
  const before = byId.get(after.id);
  if (before === undefined) throw new TypeError("the decision affects a resource that was not read");
  const isDeclared = Object.keys(before.resource.references).length > Object.keys(after.references).length;
  return { resource: after, revision: before.revision, isDeclared };
}

/** Returns the resources of a tree that stay unchanged. */
function untouched(byId: ReadTree["byId"], changed: ReadonlySet<string>): readonly ExpectedRevision[] {
  return [...byId.values()]
    .filter(({ resource }) => !changed.has(resource.id))
    .map(({ resource, revision }) => ({ id: resource.id, revision }));
}

/** Merges a change with the changes of its ancestors. */
function merged(above: AncestorChanges | undefined, own: AncestorChanges): AncestorChanges {
  if (above === undefined) return own;
  return {
    updated: [...own.updated, ...above.updated],
    touched: [...own.touched, ...above.touched],
    removed: [...own.removed, ...above.removed],
    work: [...own.work, ...above.work],
  };
}
