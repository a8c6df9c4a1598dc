import type { ApiObject } from "../store/index.ts";
import { CRDS, NAMESPACES } from "./builtins.ts";
import { crdRemoval } from "./crd-removal.ts";
import type { DeleteOptions } from "./delete-options.ts";
import { forbidden } from "./failure.ts";
import { rulesOf } from "./kinds.ts";
import { IMMORTAL_NAMESPACES, isReleasedNamespace, namespaceRemoval } from "./namespace.ts";
import { checkRemovalPreconditions, isReleased, removal } from "./remove.ts";
import type { Removal } from "./remove.ts";
import type { Resource } from "./resource.ts";

/** Decides the deletion of an object of any resource. Throws Conflict and Forbidden where it must not be. */
export function decideRemoval(resource: Resource, object: ApiObject, options: DeleteOptions, now: number): Removal {
  const { name } = object.metadata;
  checkRemovalPreconditions(resource, object, options.preconditions);
  const rules = rulesOf(resource);
  const isGraceful = rules.graceSeconds !== undefined;
  const graceSeconds = (held: ApiObject, asked: number | undefined): number => rules.graceSeconds?.(held, asked) ?? 0;
  const request = { now, options, resource: resource.id, ...(isGraceful ? { graceSeconds } : {}) };
  if (resource.id === CRDS.id) return crdRemoval(object, request);
  if (resource.id !== NAMESPACES.id) return removal(object, request);
  if (IMMORTAL_NAMESPACES.includes(name)) throw forbidden(resource, name, "this namespace may not be deleted");
  return namespaceRemoval(object, request);
}

/** Whether an update left an object that nothing holds any more. */
export function isLetGo(resource: Resource, next: ApiObject): boolean {
  return resource.id === NAMESPACES.id ? isReleasedNamespace(next) : isReleased(next);
}
