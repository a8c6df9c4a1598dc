import type { KubeObject } from "@levelset/core";

/** Returns an object without managedFields, which are often half of its size and which controllers do not use. */
export function stripManagedFields<O extends KubeObject>(object: O): O {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
