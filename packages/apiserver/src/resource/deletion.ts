import { formatTimestamp } from "@levelset/core/internal";
import type { ApiObject } from "../store/index.ts";
import type { DeleteOptions, Preconditions } from "./delete-options.ts";
import { conflictError } from "./status-errors.ts";
import type { GroupResource } from "./status-errors.ts";

/** Finalizer that blocks deletion until the dependents are deleted. */
export const FOREGROUND_FINALIZER: string = "foregroundDeletion";

/** Finalizer that blocks deletion until the dependents no longer refer to the object. */
export const ORPHAN_FINALIZER: string = "orphan";

/**
 * Decision on a deletion: remove the object, mark it and wait for finalizers or the grace period, or change nothing.
 */
export type DeletionDecision =
  | { readonly kind: "remove" }
  | { readonly kind: "mark"; readonly object: ApiObject }
  /** Already marked; no change. */
  | { readonly kind: "wait" };

/** Propagation policy of a kind without Background as its default; `unsupported`: the garbage collector ignores it. */
export type DefaultPropagationPolicy = "Orphan" | "unsupported";

/** A deletion request. */
export interface DeletionRequest {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly options: DeleteOptions;
  /** Default: Background. */
  readonly defaultPropagationPolicy?: DefaultPropagationPolicy | undefined;
  /** Returns the grace period of the object for the requested one; absent for kinds without grace period. */
  readonly graceSeconds?: (object: ApiObject, requested: number | undefined) => number;
}

/** Decides the deletion of an object (`k8s.io/apiserver/pkg/registry/rest/delete.go`, Kubernetes 1.36). */
export function decideObjectDeletion(object: ApiObject, request: DeletionRequest): DeletionDecision {
  const graceful = request.graceSeconds === undefined ? undefined : gracefully(object, request);
  if (graceful === "pending") return { kind: "wait" };
  const finalizers = deletionFinalizers(object, request);
  const held = finalizers.length > 0;
  const grace = graceful?.metadata.deletionGracePeriodSeconds ?? 0;
  if (!held && grace === 0) return { kind: "remove" };
  const due = graceful !== undefined && (grace > 0 || held) ? graceful : markForDeletion(object, request.now);
  const next = withFinalizers(due, finalizers);
  const { metadata } = object;
  const isSame =
    metadata.deletionTimestamp === next.metadata.deletionTimestamp &&
    metadata.deletionGracePeriodSeconds === next.metadata.deletionGracePeriodSeconds &&
    sameSet(finalizers, metadata.finalizers ?? []);
  return isSame ? { kind: "wait" } : { kind: "mark", object: next };
}

/** Sets deletionTimestamp to `now` without a grace period. Returns the object unchanged if it is already marked. */
export function markForDeletion(object: ApiObject, now: number): ApiObject {
  const { metadata } = object;
  const isMarked = metadata.deletionTimestamp !== undefined && Date.parse(metadata.deletionTimestamp) <= now;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...raisedGeneration(object),
      deletionTimestamp: isMarked ? metadata.deletionTimestamp : formatTimestamp(now),
      deletionGracePeriodSeconds: 0,
    },
  };
}

/** Increments the generation when the object is first marked for deletion. */
function raisedGeneration({ metadata }: ApiObject): { readonly generation?: number } {
  if (metadata.generation === undefined) return {};
  return { generation: metadata.generation + (metadata.deletionTimestamp === undefined ? 1 : 0) };
}

/** Decides the deletion of a kind with a grace period. Later requests can only shorten it. */
function gracefully(
  object: ApiObject,
  { now, options, graceSeconds }: DeletionRequest,
): ApiObject | "pending" | undefined {
  const { metadata } = object;
  const requested = options.gracePeriodSeconds === undefined ? undefined : normal(options.gracePeriodSeconds);
  if (metadata.deletionTimestamp === undefined) {
    const seconds = graceSeconds?.(object, requested) ?? 0;
    return timed(object, now, seconds);
  }
  const { deletionGracePeriodSeconds: current } = metadata;
  if (current === undefined) return undefined;
  if (requested === undefined || requested >= current) return "pending";
  return timed(object, Date.parse(metadata.deletionTimestamp) - current * 1000, requested);
}

/** Treats a negative grace period as one second (`k8s.io/apiserver/pkg/registry/rest/delete.go`, Kubernetes 1.36). */
function normal(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

function timed(object: ApiObject, since: number, seconds: number): ApiObject {
  const metadata = {
    ...object.metadata,
    ...raisedGeneration(object),
    deletionTimestamp: formatTimestamp(since + seconds * 1000),
    deletionGracePeriodSeconds: seconds,
  };
  return { ...object, metadata };
}

/**
 * Returns the finalizers of an object after a deletion request with the given options
 * (`deletionFinalizersForGarbageCollection` in `k8s.io/apiserver/pkg/registry/generic/registry/store.go`, Kubernetes
 * 1.36).
 */
export function deletionFinalizers(object: ApiObject, request: DeletionRequest): readonly string[] {
  const present = object.metadata.finalizers ?? [];
  const others = present.filter((finalizer) => finalizer !== ORPHAN_FINALIZER && finalizer !== FOREGROUND_FINALIZER);
  const policy = policyOf(present, request);
  const desired =
    policy === "Orphan"
      ? [...others, ORPHAN_FINALIZER]
      : policy === "Foreground"
        ? [...others, FOREGROUND_FINALIZER]
        : others;
  return sameSet(desired, present) ? present : desired;
}

function policyOf(
  present: readonly string[],
  { options, defaultPropagationPolicy: fallback }: DeletionRequest,
): string {
  if (fallback === "unsupported") return "Background";
  if (options.orphanDependents !== undefined) return options.orphanDependents ? "Orphan" : "Background";
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  if (present.includes(ORPHAN_FINALIZER)) return "Orphan";
  return present.includes(FOREGROUND_FINALIZER) ? "Foreground" : (fallback ?? "Background");
}

function withFinalizers(object: ApiObject, finalizers: readonly string[]): ApiObject {
  const { finalizers: _old, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(finalizers.length === 0 ? {} : { finalizers }) } };
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}

/** Returns whether an object is marked for deletion, without finalizers and without a remaining grace period. */
export function isFinalized(next: ApiObject): boolean {
  const { deletionGracePeriodSeconds, finalizers = [] } = next.metadata;
  return deletionGracePeriodSeconds === 0 && finalizers.length === 0;
}

/** Throws Conflict if a precondition does not hold. */
export function checkDeletePreconditions(
  subject: GroupResource,
  object: ApiObject,
  preconditions: Preconditions,
): void {
  const { name, uid, resourceVersion } = object.metadata;
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    const why = `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}).`;
    throw conflictError(subject, name, `${why} The object might have been deleted and then recreated`);
  }
  if (preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    const pair = `(${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion})`;
    throw conflictError(
      subject,
      name,
      `the ResourceVersion in the precondition ${pair}. The object might have been modified`,
    );
  }
}
