import type { KubeObject, OwnerReference } from "./object.ts";

/** A reference that makes `owner` the controller of a child; deletion of the owner in the foreground waits for the child. */
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

/** The one reference that says which controller manages this object, if any. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** Whether `owner` (this very incarnation, by uid) is among the object's owners. */
export function isOwnedBy(object: KubeObject, owner: KubeObject): boolean {
  return object.metadata.ownerReferences?.some((reference) => reference.uid === owner.metadata.uid) ?? false;
}

/** The references with `added` in place: replaces one of the same uid, keeps all others and their order. */
export function withOwner(
  references: readonly OwnerReference[] | undefined,
  added: OwnerReference,
): readonly OwnerReference[] {
  const present = references ?? [];
  if (present.some((reference) => reference.uid === added.uid)) {
    return present.map((reference) => (reference.uid === added.uid ? added : reference));
  }
  return [...present, added];
}
