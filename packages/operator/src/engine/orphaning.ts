import { removeFinalizerPatch, removeOwnerPatch } from "@levelset/core/internal";
import { hasFinalizer, isDeleting, isNotFound, objectKeyOf } from "@levelset/core";
import type { Kind, KubeObject } from "@levelset/core";
import type { Client } from "../client/index.ts";

/** Finalizer of the server for `kubectl delete --cascade=orphan` (docs: Garbage Collection). */
const ORPHAN = "orphan";

/** Reports whether an object is being deleted, and the garbage collector has not orphaned its dependents yet. */
export function hasOrphanFinalizer(object: KubeObject): boolean {
  return isDeleting(object) && hasFinalizer(object, ORPHAN);
}

/**
 * Removes the owner label, the owner annotation and this finalizer of the owner from a child, so that it can outlive the
 * owner and belong to another one. Does nothing if the child is gone or has none of them.
 */
export async function disownChild(
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
  kind: Kind,
  child: KubeObject,
  { owner, finalizer }: { readonly owner: KubeObject; readonly finalizer: string },
): Promise<void> {
  const patch = [...removeOwnerPatch(child, owner), ...removeFinalizerPatch(child, finalizer)];
  if (patch.length === 0) return;
  try {
    await client.jsonPatch(kind, objectKeyOf(child), patch, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
