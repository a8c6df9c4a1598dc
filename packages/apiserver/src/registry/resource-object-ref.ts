import type { StatusError } from "@levelset/core";
import type { Store, StoreKey } from "../store/index.ts";
import type { DecodeResult } from "./decode.ts";
import type { UnvalidatedObject, Resource } from "../resource/index.ts";
import { badRequestError, conflictError, notFoundError, unreadable } from "../resource/index.ts";

/** Reference to one object of a resource. `namespace` is empty for cluster-scoped resources. */
export interface ResourceObjectRef {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** Returns the store key of an object. */
export function storeKeyOf(target: ResourceObjectRef): StoreKey {
  return { resource: target.resource.id, namespace: target.namespace, name: target.name };
}

/** Returns the error for an object that the store does not return: NotFound, or InternalError if it is quarantined. */
export function absent(store: Store, target: ResourceObjectRef): StatusError {
  const row = store.quarantined(storeKeyOf(target));
  const { resource, name } = target;
  return row === undefined ? notFoundError(resource, name) : unreadable(resource, name, row.revision);
}

/** Throws BadRequest if the name or namespace in the body differs from the request path. */
export function checkRequestNames(target: ResourceObjectRef, draft: UnvalidatedObject): void {
  const { name, namespace } = draft.metadata;
  if (name !== undefined && name !== "" && name !== target.name) {
    throw badRequestError(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
  }
  if (target.namespace !== "" && namespace !== undefined && namespace !== "" && namespace !== target.namespace) {
    throw badRequestError("the namespace of the provided object does not match the namespace sent on the request");
  }
}

/**
 * Prepares the draft for an apply that creates the object: ignores the resourceVersion. Throws BadRequest if the name
 * is missing and Conflict if a uid is set.
 */
export function prepareApplyCreate(target: ResourceObjectRef, { object, warnings }: DecodeResult): DecodeResult {
  const { resourceVersion: _v, ...metadata } = object.metadata;
  const { name = "", uid = "" } = metadata;
  if (uid !== "") {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflictError(target.resource, target.name, why);
  }
  if (name === "") {
    throw badRequestError(
      `the name of the object (${target.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  checkRequestNames(target, object);
  return { object: { ...object, metadata }, warnings };
}
