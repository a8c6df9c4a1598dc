import type { KubeObject } from "@levelset/core";

/** An object without managedFields: often half of it, and of no use to a controller. */
export function slim<O extends KubeObject>(object: O): O {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
