import { childFinalizerName, hasFinalizer, managerOf } from "@levelset/core";
import type { KubeObject, ManagingOwner } from "@levelset/core";
import { describeRef } from "./object-ref.ts";
import { wait } from "./result.ts";
import type { Result } from "./result.ts";

/** The condition that is False while the owner of a deleted object holds its deletion. Absent otherwise. */
export const RELEASED = "Released";

/**
 * The owner that protects an object: the one that manages it, if the object carries its child finalizer. A finalizer of such a name
 * without that owner proves nothing.
 */
export function protectingOwner(object: KubeObject): ManagingOwner | undefined {
  const owner = managerOf(object);
  return owner !== undefined && hasFinalizer(object, childFinalizerName(owner)) ? owner : undefined;
}

/** The result of a cleanup that must not start: the owner still needs what it would remove. */
export function heldByOwner(owner: ManagingOwner): Result<never> {
  return wait(`${describeRef(owner)} holds the deletion with the finalizer ${childFinalizerName(owner)}`);
}
