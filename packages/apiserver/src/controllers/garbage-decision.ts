import type { KubeObject, OwnerReference } from "@levelset/core";
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from "../resource/index.ts";
import type { PropagationPolicy } from "../resource/index.ts";

/** State of an owner as seen by a dependent. */
export type OwnerState =
  /** Exists and is not waiting for its dependents. */
  | "solid"
  /** Absent, or another object of the same name. */
  | "dangling"
  /** In foreground deletion: waits for this dependent. */
  | "waiting"
  /** Its kind is not served, so its existence is unknown. */
  | "unknown"
  /** A namespaced owner of a cluster-scoped object, which is an invalid reference. */
  | "invalid";

/** Action for one object. */
export type GarbageDecision =
  | { readonly kind: "keep" }
  /** Some owners remain; removes the references to the others. */
  | { readonly kind: "release"; readonly owners: readonly string[] }
  | { readonly kind: "collect"; readonly policy: PropagationPolicy; readonly unblock: boolean }
  /** Undecided until the kind of an owner is served. */
  | { readonly kind: "unresolved" };

/** Input of {@link decideGarbage}. */
export interface GarbageSnapshot {
  readonly object: KubeObject;
  readonly owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[];
  /** Objects with an owner reference to this one. */
  readonly dependents: readonly KubeObject[];
}

/** Whether an object is in foreground deletion. */
export function isDeletingDependents({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(FOREGROUND_FINALIZER) === true;
}

/** Whether an object is in orphan deletion. */
export function isOrphaningDependents({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(ORPHAN_FINALIZER) === true;
}

/** Whether a dependent blocks the foreground deletion of the owner with this uid. */
export function blocksOwnerDeletion(dependent: KubeObject, uid: string): boolean {
  return (dependent.metadata.ownerReferences ?? []).some(
    (reference) => reference.uid === uid && reference.blockOwnerDeletion === true,
  );
}

/** Decides about an object that has owners and is not being deleted. */
export function decideGarbage({ object, owners, dependents }: GarbageSnapshot): GarbageDecision {
  const inState = (state: OwnerState): readonly string[] =>
    owners.filter((owner) => owner.state === state).map(({ reference }) => reference.uid);
  if (owners.length === 0 || inState("invalid").length > 0) return { kind: "keep" };
  if (inState("unknown").length > 0) return { kind: "unresolved" };
  const waiting = inState("waiting");
  if (inState("solid").length > 0) {
    const gone = [...inState("dangling"), ...waiting];
    return gone.length === 0 ? { kind: "keep" } : { kind: "release", owners: gone };
  }
  if (waiting.length > 0 && dependents.length > 0) {
    // In a cycle, each object would wait for the other, so none may block its owner.
    return { kind: "collect", policy: "Foreground", unblock: dependents.some(isDeletingDependents) };
  }
  return { kind: "collect", policy: policyOf(object), unblock: false };
}

/** Returns the policy implied by the finalizers of the object. */
function policyOf({ metadata }: KubeObject): PropagationPolicy {
  if (metadata.finalizers?.includes(ORPHAN_FINALIZER) === true) return "Orphan";
  return metadata.finalizers?.includes(FOREGROUND_FINALIZER) === true ? "Foreground" : "Background";
}
