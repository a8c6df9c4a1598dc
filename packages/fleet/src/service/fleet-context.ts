import type { Clock } from "@levelset/core";
import type { FleetKind, FleetKinds, Resource } from "../resource/index.ts";
import type { FleetStore, JournalAction, JournalEntry, IdempotentResponse, StoredResource } from "../store/index.ts";
import type { Caller } from "./caller.ts";
import { FleetError } from "./fleet-error.ts";
import type { MutationDecision, Mutations, IdempotencyKey } from "./mutation.ts";
import type { WorkPlanner } from "./work-planner.ts";
import type { ResourceCache } from "./resource-cache.ts";
import type { UuidSource } from "./uuid.ts";

/** Dependencies of all fleet operations. */
export interface FleetContext {
  readonly store: FleetStore;
  readonly kinds: FleetKinds;
  readonly clock: Clock;
  readonly ids: UuidSource;
  readonly planner: WorkPlanner;
  readonly mutations: Mutations;
  readonly resourceCache: ResourceCache;
  readonly basePath: string;
}

/** A resource as addressed by a path. */
export interface ResourceTarget {
  readonly id: string;
  readonly kind?: string;
  readonly ownerId?: string;
}

/** A resource with its revision, which counts the changes committed to it. */
export interface VersionedResource {
  readonly resource: Resource;
  readonly revision: number;
}

/** A request with an idempotency key, and how to build its response. */
export interface IdempotentRequest extends IdempotencyKey {
  readonly response: (versioned: VersionedResource) => Pick<IdempotentResponse, "status" | "headers" | "body">;
}

/** Preconditions and idempotency of a mutation. */
export interface MutationOptions {
  /** Only if the resource has one of these generations. */
  readonly generations?: readonly number[] | undefined;
  readonly idempotency?: IdempotentRequest | undefined;
}

/** Describes a resource in messages. */
export function describeTarget({ id, kind = "Resource" }: ResourceTarget): string {
  return `${kind} with id='${id}'`;
}

/** Returns the error for a resource that does not exist or is not visible to the caller. */
export function resourceNotFound(target: ResourceTarget): FleetError {
  return new FleetError("not-found", `${describeTarget(target)} not found`);
}

/** Returns a resource that is visible to the caller. Rejects with a `notFound` error otherwise. */
export async function loadVisible(
  { store }: FleetContext,
  caller: Caller,
  target: ResourceTarget,
): Promise<StoredResource> {
  const stored = await store.load({ ...target, scope: caller.scope });
  if (stored === undefined) throw resourceNotFound(target);
  return stored;
}

/** Returns the kind of a resource. Throws if it is no longer declared. */
export function kindOfResource({ kinds }: FleetContext, { kind }: Pick<Resource, "kind">): FleetKind {
  const found = kinds.find(kind);
  if (found === undefined) throw new FleetError("state", `the kind ${kind} is no longer declared`);
  return found;
}

/** Refuses system callers, which belong to no tenant. */
export function rejectSystemCaller({ isSystem }: Caller): void {
  if (isSystem) throw new FleetError("forbidden", "a system caller may only write statuses");
}

/** Throws if the resource changed since the caller read it. */
export function checkGeneration({ resource }: VersionedResource, { generations }: MutationOptions): void {
  if (generations === undefined || generations.includes(resource.generation)) return;
  throw new FleetError("version", `the resource is at generation ${resource.generation} now: read it again`);
}

/** Returns a journal entry for the resource after the change. */
export function journalEntryOf(
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

/** Returns the response to store with a change, if the request has an idempotency key. */
export function idempotentResponseFor(
  once: IdempotentRequest | undefined,
  versioned: VersionedResource,
  time: number,
): { readonly response?: IdempotentResponse } {
  if (once === undefined) return {};
  const { key, request, response } = once;
  return { response: { key, request, time, ...response(versioned) } };
}

/**
 * Returns the decision for a request without effect. With an idempotency key the response is stored as well: a later
 * repetition must neither undo changes of others nor be refused because of them.
 */
export function unchangedDecision(
  context: FleetContext,
  caller: Caller,
  action: "patch" | "delete",
  versioned: VersionedResource,
  { idempotency }: MutationOptions,
): MutationDecision<VersionedResource> {
  if (idempotency === undefined) return { kind: "unchanged", result: versioned };
  const time = context.clock.now();
  const entry = journalEntryOf(context, caller, versioned.resource, {
    action,
    time,
    details: { outcome: "unchanged" },
  });
  return {
    kind: "commit",
    change: { entry, ...idempotentResponseFor(idempotency, versioned, time) },
    result: versioned,
  };
}
