import { isNotFound } from "@levelset/core";
import type { DeleteOptions, Registry, Target } from "../registry/index.ts";
import type { ApiObject } from "../store/index.ts";

/** Changes the object with this uid on the server's behalf; one that is gone, or another of the same name, is left alone. */
export async function amendObject(
  registry: Registry,
  target: Target,
  uid: string,
  change: (object: ApiObject) => ApiObject,
): Promise<void> {
  await unlessGone(registry.amend(target, (object) => (object.metadata.uid === uid ? change(object) : object)));
}

/** Deletes the object with this uid, which may be gone already. Throws Conflict where another has its name. */
export async function deleteObject(
  registry: Registry,
  target: Target,
  uid: string,
  options: Partial<DeleteOptions> = {},
): Promise<void> {
  const preconditions = { ...options.preconditions, uid };
  await unlessGone(registry.delete(target, { dryRun: false, ...options, preconditions }));
}

/** The object without a finalizer. */
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
