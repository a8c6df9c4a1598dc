import type { KubeObject } from "../object/index.ts";
import { isBuiltIn } from "./built-in-kinds.ts";

/**
 * Reports whether an object has not been observed by a controller yet: its kind is a custom one with a status
 * subresource, and it has no status. Built-in kinds, and revisions, which record an earlier state, need no controller.
 */
export function isUnobserved(object: KubeObject, hasStatus: boolean): boolean {
  if (isBuiltIn(object) || object.kind.endsWith("Revision")) return false;
  const { status } = object as { readonly status?: unknown };
  return hasStatus && status === undefined && object.metadata.generation !== undefined;
}
