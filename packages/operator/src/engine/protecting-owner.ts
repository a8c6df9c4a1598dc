import { childFinalizerName, managerOf } from "@levelset/core/internal";
import { hasFinalizer } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import type { ManagingOwner } from "@levelset/core/internal";
import { describeRef } from "./step/object-ref.ts";
import { wait } from "./step/result.ts";
import type { Result } from "./step/result.ts";

/** Condition that is False while the owner of an object defers its deletion. Absent otherwise. */
export const RELEASED = "Released";

/**
 * Returns the managing owner of an object if the object carries that owner's child finalizer. A child finalizer without
 * a matching owner is ignored.
 */
export function protectingOwner(object: KubeObject): ManagingOwner | undefined {
  const owner = managerOf(object);
  return owner !== undefined && hasFinalizer(object, childFinalizerName(owner)) ? owner : undefined;
}

/** Returns the result of a cleanup that must not start because the owner still needs the object. */
export function heldByOwner(owner: ManagingOwner): Result<never> {
  return wait(`${describeRef(owner)} holds the deletion with the finalizer ${childFinalizerName(owner)}`);
}
