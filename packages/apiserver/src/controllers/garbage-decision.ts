import type { KubeObject, OwnerReference } from "@levelset/core";
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from "../registry/index.ts";
import type { PropagationPolicy } from "../registry/index.ts";

/** How an owner stands, as one of its dependents sees it. */
export type OwnerState =
  /** There, and not waiting for its dependents to go. */
  | "solid"
  /** Not there, or another object of the same name. */
  | "dangling"
  /** Being deleted in the foreground: it waits for this dependent. */
  | "waiting"
  /** Its kind is not known, so nobody can tell. */
  | "unknown"
  /** A namespaced owner of a cluster-scoped object, which is no valid reference. */
  | "invalid";

/** What is to be done about one object. */
export type Garbage =
  | { readonly kind: "keep" }
  /** Some owners remain; these references go. */
  | { readonly kind: "release"; readonly owners: readonly string[] }
  | { readonly kind: "collect"; readonly policy: PropagationPolicy; readonly unblock: boolean }
  /** Cannot be told until a kind is known. */
  | { readonly kind: "unresolved" };

/** What one object is judged by. */
export interface GarbageView {
  readonly object: KubeObject;
  readonly owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[];
  /** The objects that name this one as an owner. */
  readonly dependents: readonly KubeObject[];
}

/** Whether an object waits for its dependents to go first. */
export function isDeletingDependents({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(FOREGROUND_FINALIZER) === true;
}

/** Whether an object waits for its dependents to forget it. */
export function isOrphaningDependents({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(ORPHAN_FINALIZER) === true;
}

/** Whether a dependent holds up the foreground deletion of the owner with this uid. */
export function blocks(dependent: KubeObject, uid: string): boolean {
  return (dependent.metadata.ownerReferences ?? []).some(
    (reference) => reference.uid === uid && reference.blockOwnerDeletion === true,
  );
}

/** Decides about an object that has owners and is not itself being deleted. */
export function judge({ object, owners, dependents }: GarbageView): Garbage {
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
    // In a circle each would wait for the other: none may hold up its owner.
    return { kind: "collect", policy: "Foreground", unblock: dependents.some(isDeletingDependents) };
  }
  return { kind: "collect", policy: policyOf(object), unblock: false };
}

/** A wish that the object carries already is heeded. */
function policyOf({ metadata }: KubeObject): PropagationPolicy {
  if (metadata.finalizers?.includes(ORPHAN_FINALIZER) === true) return "Orphan";
  return metadata.finalizers?.includes(FOREGROUND_FINALIZER) === true ? "Foreground" : "Background";
}
