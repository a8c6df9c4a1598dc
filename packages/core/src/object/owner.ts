import type { KubeObject, OwnerReference } from "./object.ts";

/**
 * Returns a reference that makes `owner` the controller of a child. Foreground deletion of the owner waits for the
 * child.
 */
export function controllerReference(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Returns the reference with `controller: true`, or undefined. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/**
 * Reports whether `owner` is among the object's owners. Owners are compared by uid, so a recreated owner does not
 * match.
 */
export function isOwnedBy(object: KubeObject, owner: KubeObject): boolean {
  return object.metadata.ownerReferences?.some((reference) => reference.uid === owner.metadata.uid) ?? false;
}

/** Returns the references with `added` included: replaces one of the same uid, keeps all others and their order. */
export function withOwnerReference(
  references: readonly OwnerReference[] | undefined,
  added: OwnerReference,
): readonly OwnerReference[] {
  const present = references ?? [];
  if (present.some((reference) => reference.uid === added.uid)) {
    return present.map((reference) => (reference.uid === added.uid ? added : reference));
  }
  return [...present, added];
}
