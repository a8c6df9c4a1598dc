import type { ApiObject } from "../store/index.ts";
import { CRD_RESOURCE, NAMESPACE_RESOURCE } from "./builtin-resources.ts";
import { decideCrdDeletion } from "./crd-deletion.ts";
import type { DeleteOptions } from "./delete-options.ts";
import { forbiddenError } from "./status-errors.ts";
import { strategyOf } from "./strategies.ts";
import { IMMORTAL_NAMESPACES, isNamespaceFinalized, decideNamespaceDeletion } from "./namespace.ts";
import { checkDeletePreconditions, isFinalized, decideObjectDeletion } from "./deletion.ts";
import type { DeletionDecision } from "./deletion.ts";
import type { Resource } from "./resource.ts";

/**
 * Decides the deletion of an object. Throws Conflict if a precondition fails and Forbidden for protected namespaces.
 */
export function decideDeletion(
  resource: Resource,
  object: ApiObject,
  options: DeleteOptions,
  now: number,
): DeletionDecision {
  const { name } = object.metadata;
  checkDeletePreconditions(resource, object, options.preconditions);
  const rules = strategyOf(resource);
  const isGraceful = rules.gracePeriodSeconds !== undefined;
  const graceSeconds = (held: ApiObject, requested: number | undefined): number =>
    rules.gracePeriodSeconds?.(held, requested) ?? 0;
  const request = { now, options, resource: resource.id, ...(isGraceful ? { graceSeconds } : {}) };
  if (resource.id === CRD_RESOURCE.id) return decideCrdDeletion(object, request);
  if (resource.id !== NAMESPACE_RESOURCE.id) return decideObjectDeletion(object, request);
  if (IMMORTAL_NAMESPACES.includes(name)) throw forbiddenError(resource, name, "this namespace may not be deleted");
  return decideNamespaceDeletion(object, request);
}

/** Returns whether an update removed the last finalizer of an object that is being deleted. */
export function shouldDeleteDuringUpdate(resource: Resource, next: ApiObject): boolean {
  return resource.id === NAMESPACE_RESOURCE.id ? isNamespaceFinalized(next) : isFinalized(next);
}
