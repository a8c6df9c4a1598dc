import type { Clock } from "@levelset/core";
import type { FleetKind, FleetKinds, Resource } from "../resource/index.ts";
import type { FleetStore, JournalAction, JournalEntry, KeptAnswer, Stored } from "../store/index.ts";
import type { Caller } from "./caller.ts";
import { FleetError } from "./fleet-error.ts";
import type { Decision, Mutations, OnceKey } from "./mutation.ts";
import type { Planner } from "./plan.ts";
import type { RecentResources } from "./recent-resources.ts";
import type { UuidSource } from "./uuid.ts";

/** What every operation of the fleet needs. */
export interface FleetContext {
  readonly store: FleetStore;
  readonly kinds: FleetKinds;
  readonly clock: Clock;
  readonly ids: UuidSource;
  readonly planner: Planner;
  readonly mutations: Mutations;
  readonly recent: RecentResources;
  readonly basePath: string;
}

/** A resource as a path names it. */
export interface Target {
  readonly id: string;
  readonly kind?: string;
  readonly ownerId?: string;
}

/** A resource as a caller sees it. The revision counts every change that was committed to it. */
export interface Seen {
  readonly resource: Resource;
  readonly revision: number;
}

/** A request that is done once, and how it is answered then and ever after. */
export interface Once extends OnceKey {
  readonly answer: (seen: Seen) => Pick<KeptAnswer, "status" | "headers" | "body">;
}

/** Besides what to do: under which conditions, and whether only once. */
export interface MutationOptions {
  /** Only if the resource is of one of these generations. */
  readonly generations?: readonly number[] | undefined;
  readonly once?: Once | undefined;
}

/** A resource as messages name it. */
export function subjectOf({ id, kind = "Resource" }: Target): string {
  return `${kind} with id='${id}'`;
}

/** The refusal for what a caller cannot see, whether it is there or not. */
export function notFound(target: Target): FleetError {
  return new FleetError("not-found", `${subjectOf(target)} not found`);
}

/** The resource that a caller means. */
export async function loadFor({ store }: FleetContext, caller: Caller, target: Target): Promise<Stored> {
  const stored = await store.load({ ...target, scope: caller.scope });
  if (stored === undefined) throw notFound(target);
  return stored;
}

/** The declaration of a resource's kind. */
export function kindOf({ kinds }: FleetContext, { kind }: Pick<Resource, "kind">): FleetKind {
  const found = kinds.find(kind);
  if (found === undefined) throw new FleetError("state", `the kind ${kind} is not declared any more`);
  return found;
}

/** Refuses callers above tenants, who belong to none. */
export function checkDeclares({ isSystem }: Caller): void {
  if (isSystem) throw new FleetError("forbidden", "a system caller may only write statuses");
}

/** Refuses what was changed since the caller has seen it. */
export function checkGeneration({ resource }: Seen, { generations }: MutationOptions): void {
  if (generations === undefined || generations.includes(resource.generation)) return;
  throw new FleetError("version", `it is at generation ${resource.generation} now: read it again`);
}

/** An entry of the journal about a resource as it is after the change. */
export function entryOf(
  { ids }: FleetContext,
  caller: Caller,
  resource: Resource,
  what: { readonly action: JournalAction; readonly time: number } & Pick<JournalEntry, "adapter" | "details">,
): JournalEntry {
  const { id, kind, name, tenancy, generation } = resource;
  return {
    id: ids.next(),
    ...what,
    resourceId: id,
    kind,
    name,
    tenancy,
    by: caller.identity,
    requestId: caller.requestId,
    generation,
  };
}

/** The answer to keep with a change, where a request is done once. */
export function keptAnswer(once: Once | undefined, seen: Seen, time: number): { readonly answer?: KeptAnswer } {
  if (once === undefined) return {};
  const { key, request, answer } = once;
  return { answer: { key, request, time, ...answer(seen) } };
}

/**
 * There is nothing to change. A request that is done once is answered so ever after: sent again later, it must neither undo what others have changed since
 * nor be refused for it.
 */
export function unchanged(
  context: FleetContext,
  caller: Caller,
  action: "patch" | "delete",
  seen: Seen,
  { once }: MutationOptions,
): Decision<Seen> {
  if (once === undefined) return { kind: "settled", result: seen };
  const time = context.clock.now();
  const entry = entryOf(context, caller, seen.resource, { action, time, details: { outcome: "unchanged" } });
  return { kind: "commit", change: { entry, ...keptAnswer(once, seen, time) }, result: seen };
}
