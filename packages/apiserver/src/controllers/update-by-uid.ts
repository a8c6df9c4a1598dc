import { isNotFound } from "@levelset/core";
import type { DeleteOptions } from "../resource/index.ts";
import type { Registry, ResourceObjectRef } from "../registry/index.ts";
import type { ApiObject } from "../store/index.ts";

/** Updates the object with this uid with server privileges. Does nothing if it is gone or was recreated. */
export async function privilegedUpdateByUid(
  registry: Registry,
  target: ResourceObjectRef,
  uid: string,
  change: (object: ApiObject) => ApiObject,
): Promise<void> {
  await unlessGone(
    registry.privilegedUpdate(target, (object) => (object.metadata.uid === uid ? change(object) : object)),
  );
}

/** Deletes the object with this uid. Does nothing if it is gone. Throws Conflict if it was recreated. */
export async function deleteByUid(
  registry: Registry,
  target: ResourceObjectRef,
  uid: string,
  options: Partial<DeleteOptions> = {},
): Promise<void> {
  const preconditions = { ...options.preconditions, uid };
  await unlessGone(registry.delete(target, { dryRun: false, ...options, preconditions }));
}

/** Returns the object without a finalizer. */
export function withoutFinalizer(object: ApiObject, finalizer: string): ApiObject {
  const { finalizers = [], ...metadata } = object.metadata;
  const left = finalizers.filter((held) => held !== finalizer);
  return { ...object, metadata: { ...metadata, ...(left.length === 0 ? {} : { finalizers: left }) } };
}

async function unlessGone(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
