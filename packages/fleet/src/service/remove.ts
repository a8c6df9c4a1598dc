import { decideDelete, decideForceDelete } from "../resource/index.ts";
import type { Family, Resource } from "../resource/index.ts";
import type { Expected, Stored, StoredFamily, Update } from "../store/index.ts";
import { withoutChild } from "./ancestors.ts";
import type { Above } from "./ancestors.ts";
import type { Caller } from "./caller.ts";
import {
  checkDeclares,
  checkGeneration,
  entryOf,
  keptAnswer,
  kindOf,
  notFound,
  subjectOf,
  unchanged,
} from "./context.ts";
import type { FleetContext, MutationOptions, Seen, Target } from "./context.ts";
import { FleetError, invalid } from "./fleet-error.ts";
import type { Decision, Done } from "./mutation.ts";

/** A family as it was read: as the decision wants it, and by id. */
interface ReadFamily {
  readonly root: Stored;
  readonly family: Family;
  readonly byId: ReadonlyMap<string, StoredFamily["members"][number]>;
}

/** Asks for a deletion. What has nothing to wait for is gone at once. */
export async function remove(
  context: FleetContext,
  caller: Caller,
  target: Target,
  options: MutationOptions,
): Promise<Done<Seen>> {
  return overFamily(context, caller, target, options, (read) => decideOnDelete(context, caller, read, options));
}

async function decideOnDelete(
  context: FleetContext,
  caller: Caller,
  { root, family, byId }: ReadFamily,
  options: MutationOptions,
): Promise<Decision<Seen>> {
  const now = context.clock.now();
  const decision = decideDelete(family, { by: caller.identity, now });
  if (decision.kind === "refused") throw new FleetError("state", decision.message);
  const { resource } = decision;
  if (decision.kind === "unchanged") {
    return unchanged(context, caller, "delete", { resource, revision: root.revision }, options);
  }
  const seen: Seen = { resource, revision: root.revision + 1 };
  const isGone = decision.removed.includes(resource);
  const above = isGone ? await withoutChild(context, resource, now) : undefined;
  const changed = new Set([...decision.marked, ...decision.removed].map(({ id }) => id));
  const update = (after: Resource): Update => updateOf(byId, after);
  return {
    kind: "commit",
    change: {
      entry: entryOf(context, caller, resource, { action: "delete", time: now }),
      ...merged(above, {
        updated: decision.marked.map(update),
        removed: decision.removed.map(update),
        touched: untouched(byId, changed),
        work: decision.marked.map((marked) => {
          const kind = kindOf(context, marked);
          return context.planner.work(
            { kind, resource: marked, statuses: byId.get(marked.id)?.statuses ?? [] },
            "delete",
          );
        }),
      }),
      ...keptAnswer(options.once, seen, now),
    },
    result: seen,
    parentId: resource.owner?.id,
  };
}

/** Removes the records of a resource that is being deleted, and of everything below it, whatever its adapters say. */
export async function forceRemove(
  context: FleetContext,
  caller: Caller,
  target: Target,
  reason: unknown,
  options: MutationOptions,
): Promise<Done<Seen>> {
  return overFamily(context, caller, target, options, (read) => decideOnForce(context, caller, read, reason, options));
}

async function decideOnForce(
  context: FleetContext,
  caller: Caller,
  { root, family, byId }: ReadFamily,
  reason: unknown,
  { once }: MutationOptions,
): Promise<Decision<Seen>> {
  const now = context.clock.now();
  const decision = decideForceDelete(family, reason);
  const { resource } = root;
  if (decision.kind === "invalid") throw invalid(decision.problems);
  if (decision.kind === "refused") {
    throw new FleetError("state", `${subjectOf(resource)} is not being deleted: delete it first`);
  }
  const seen: Seen = { resource, revision: root.revision };
  const above = await withoutChild(context, resource, now);
  const details = { reason: String(reason) };
  return {
    kind: "commit",
    change: {
      entry: entryOf(context, caller, resource, { action: "force-delete", time: now, details }),
      ...merged(above, {
        removed: decision.removed.map((removed) => updateOf(byId, removed)),
        updated: [],
        touched: [],
        work: [],
      }),
      ...keptAnswer(once, seen, now),
    },
    result: seen,
    parentId: resource.owner?.id,
  };
}

/** Runs a mutation of a resource and everything below it. */
async function overFamily(
  context: FleetContext,
  caller: Caller,
  target: Target,
  options: MutationOptions,
  decide: (read: ReadFamily) => Promise<Decision<Seen>>,
): Promise<Done<Seen>> {
  checkDeclares(caller);
  return context.mutations.run({
    lane: target.id,
    subject: subjectOf(target),
    once: options.once,
    decide: async () => {
      const read = await readFamily(context, caller, target);
      checkGeneration(read.root, options);
      return decide(read);
    },
  });
}

async function readFamily(context: FleetContext, caller: Caller, target: Target): Promise<ReadFamily> {
  const stored = await context.store.family({ ...target, scope: caller.scope });
  const root = stored?.members[0];
  if (stored === undefined || root === undefined) throw notFound(target);
  const byId = new Map(stored.members.map((member) => [member.resource.id, member]));
  const byOwner = Map.groupBy(stored.members.slice(1), ({ resource }) => resource.owner?.id);
  const tree = (member: StoredFamily["members"][number]): Family => ({
    kind: kindOf(context, member.resource),
    resource: member.resource,
    statuses: member.statuses,
    children: (byOwner.get(member.resource.id) ?? []).map(tree),
    referencers: member.referencers.map(({ id, kind, href }) => ({ id, kind, href })),
  });
  return { root, family: tree(root), byId };
}

function updateOf(byId: ReadFamily["byId"], after: Resource): Update {
  const before = byId.get(after.id);
  if (before === undefined) throw new TypeError("the decision is about a resource that was not read");
  const isDeclared = Object.keys(before.resource.references).length > Object.keys(after.references).length;
  return { resource: after, revision: before.revision, isDeclared };
}

/** Those of a family that stay as they are. */
function untouched(byId: ReadFamily["byId"], changed: ReadonlySet<string>): readonly Expected[] {
  return [...byId.values()]
    .filter(({ resource }) => !changed.has(resource.id))
    .map(({ resource, revision }) => ({ id: resource.id, revision }));
}

/** A change with what it means for the resources above. */
function merged(above: Above | undefined, own: Above): Above {
  if (above === undefined) return own;
  return {
    updated: [...own.updated, ...above.updated],
    touched: [...own.touched, ...above.touched],
    removed: [...own.removed, ...above.removed],
    work: [...own.work, ...above.work],
  };
}
