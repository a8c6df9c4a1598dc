import { timestamp } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import type { DeleteOptions, Preconditions } from "./delete-options.ts";
import { conflict } from "./failure.ts";
import type { Subject } from "./failure.ts";

/** Holds an object until its dependents are gone. */
export const FOREGROUND_FINALIZER: string = "foregroundDeletion";

/** Holds an object until its dependents no longer refer to it. */
export const ORPHAN_FINALIZER: string = "orphan";

/** What a deletion does to an object: it goes, or it is marked and waits for its finalizers or its grace period. */
export type Removal =
  | { readonly kind: "remove" }
  | { readonly kind: "mark"; readonly object: ApiObject }
  /** Marked before; nothing changes. */
  | { readonly kind: "wait" };

/** What a deletion is decided by besides the object. */
export interface RemovalRequest {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly options: DeleteOptions;
  /** `plural.group` of the object. */
  readonly resource: string;
  /** The seconds that this object gets, given those that were asked for; absent for kinds that end at once. */
  readonly graceSeconds?: (object: ApiObject, asked: number | undefined) => number;
}

/** Decides a deletion. */
export function removal(object: ApiObject, request: RemovalRequest): Removal {
  const graceful = request.graceSeconds === undefined ? undefined : gracefully(object, request);
  if (graceful === "pending") return { kind: "wait" };
  const finalizers = finalizersFor(object, request);
  const held = finalizers.length > 0;
  const grace = graceful?.metadata.deletionGracePeriodSeconds ?? 0;
  if (!held && grace === 0) return { kind: "remove" };
  const due = graceful !== undefined && (grace > 0 || held) ? graceful : marked(object, request.now);
  const next = withFinalizers(due, finalizers);
  const { metadata } = object;
  const isSame =
    metadata.deletionTimestamp === next.metadata.deletionTimestamp &&
    metadata.deletionGracePeriodSeconds === next.metadata.deletionGracePeriodSeconds &&
    sameSet(finalizers, metadata.finalizers ?? []);
  return isSame ? { kind: "wait" } : { kind: "mark", object: next };
}

/** The object as asked to be deleted at `now`, without any grace; unchanged where it was asked before. */
export function marked(object: ApiObject, now: number): ApiObject {
  const { metadata } = object;
  const isMarked = metadata.deletionTimestamp !== undefined && Date.parse(metadata.deletionTimestamp) <= now;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...raisedGeneration(object),
      deletionTimestamp: isMarked ? metadata.deletionTimestamp : timestamp(now),
      deletionGracePeriodSeconds: 0,
    },
  };
}

/** Deletion begins a new generation, once. */
function raisedGeneration({ metadata }: ApiObject): { readonly generation?: number } {
  if (metadata.generation === undefined) return {};
  return { generation: metadata.generation + (metadata.deletionTimestamp === undefined ? 1 : 0) };
}

/** A kind that ends with a grace period: a later request may only shorten it. */
function gracefully(
  object: ApiObject,
  { now, options, graceSeconds }: RemovalRequest,
): ApiObject | "pending" | undefined {
  const { metadata } = object;
  const asked = options.gracePeriodSeconds === undefined ? undefined : normal(options.gracePeriodSeconds);
  if (metadata.deletionTimestamp === undefined) {
    const seconds = graceSeconds?.(object, asked) ?? 0;
    return timed(object, now, seconds);
  }
  const { deletionGracePeriodSeconds: current } = metadata;
  if (current === undefined) return undefined;
  if (asked === undefined || asked >= current) return "pending";
  return timed(object, Date.parse(metadata.deletionTimestamp) - current * 1000, asked);
}

/** Less than nothing counts as a second. */
function normal(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

function timed(object: ApiObject, since: number, seconds: number): ApiObject {
  const metadata = {
    ...object.metadata,
    ...raisedGeneration(object),
    deletionTimestamp: timestamp(since + seconds * 1000),
    deletionGracePeriodSeconds: seconds,
  };
  return { ...object, metadata };
}

/** Whether deleting an object of a resource concerns the collector, and what becomes of dependents unless somebody says. */
function defaultPolicy(resource: string): "Background" | "Orphan" | "unsupported" {
  if (resource === "replicationcontrollers" || resource === "jobs.batch") return "Orphan";
  return resource === "events" || resource === "events.events.k8s.io" ? "unsupported" : "Background";
}

/** The finalizers of an object once its deletion has been asked for in a certain way. */
export function finalizersFor(object: ApiObject, { options, resource }: RemovalRequest): readonly string[] {
  const present = object.metadata.finalizers ?? [];
  const others = present.filter((finalizer) => finalizer !== ORPHAN_FINALIZER && finalizer !== FOREGROUND_FINALIZER);
  const policy = policyOf(present, options, defaultPolicy(resource));
  const wanted =
    policy === "Orphan"
      ? [...others, ORPHAN_FINALIZER]
      : policy === "Foreground"
        ? [...others, FOREGROUND_FINALIZER]
        : others;
  return sameSet(wanted, present) ? present : wanted;
}

function policyOf(
  present: readonly string[],
  options: DeleteOptions,
  fallback: "Background" | "Orphan" | "unsupported",
): string {
  if (fallback === "unsupported") return "Background";
  if (options.orphanDependents !== undefined) return options.orphanDependents ? "Orphan" : "Background";
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  if (present.includes(ORPHAN_FINALIZER)) return "Orphan";
  return present.includes(FOREGROUND_FINALIZER) ? "Foreground" : fallback;
}

function withFinalizers(object: ApiObject, finalizers: readonly string[]): ApiObject {
  const { finalizers: _old, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(finalizers.length === 0 ? {} : { finalizers }) } };
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}

/** Whether an update left an object that was only waiting for its finalizers. */
export function isReleased(next: ApiObject): boolean {
  const { deletionGracePeriodSeconds, finalizers = [] } = next.metadata;
  return deletionGracePeriodSeconds === 0 && finalizers.length === 0;
}

/** Throws Conflict where a precondition does not hold. */
export function checkRemovalPreconditions(subject: Subject, object: ApiObject, preconditions: Preconditions): void {
  const { name, uid, resourceVersion } = object.metadata;
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    const why = `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}).`;
    throw conflict(subject, name, `${why} The object might have been deleted and then recreated`);
  }
  if (preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    const pair = `(${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion})`;
    throw conflict(
      subject,
      name,
      `the ResourceVersion in the precondition ${pair}. The object might have been modified`,
    );
  }
}
