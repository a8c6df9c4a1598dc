import type { StatusError } from "@levelset/core";
import type { Store, StoreKey } from "../store/index.ts";
import type { Decoded } from "./decode.ts";
import type { Draft } from "./draft.ts";
import { badRequest, conflict, notFound, unreadable } from "./failure.ts";
import type { Resource } from "./resource.ts";

/** Names one object of a resource. `namespace` is empty for cluster-scoped ones. */
export interface Target {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** Where the store keeps an object. */
export function keyOf(target: Target): StoreKey {
  return { resource: target.resource.id, namespace: target.namespace, name: target.name };
}

/** The failure of a request for an object that the store does not give: NotFound, or InternalError if it is in quarantine. */
export function absent(store: Store, target: Target): StatusError {
  const row = store.quarantined(keyOf(target));
  const { resource, name } = target;
  return row === undefined ? notFound(resource, name) : unreadable(resource, name, row.revision);
}

/** Refuses a draft that names another object than the request does. Throws BadRequest. */
export function checkNames(target: Target, draft: Draft): void {
  const { name, namespace } = draft.metadata;
  if (name !== undefined && name !== "" && name !== target.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
  }
  if (target.namespace !== "" && namespace !== undefined && namespace !== "" && namespace !== target.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

/**
 * The draft of an object that is applied to nothing: it names itself, is no particular object of the past, and whatever version it
 * was last seen at means nothing. Throws BadRequest and Conflict.
 */
export function newlyNamed(target: Target, { draft, warnings }: Decoded): Decoded {
  const { resourceVersion: _v, ...metadata } = draft.metadata;
  const { name = "", uid = "" } = metadata;
  if (uid !== "") {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(target.resource, target.name, why);
  }
  if (name === "") {
    throw badRequest(`the name of the object (${target.name} based on URL) was undeterminable: name must be provided`);
  }
  checkNames(target, draft);
  return { draft: { ...draft, metadata }, warnings };
}
