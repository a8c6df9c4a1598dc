import { isJsonObject } from "../json/index.ts";
import { parseApiVersion } from "./key.ts";
import type { KubeObject } from "./object.ts";

/** Annotation that pauses reconciliation of an object, cleanup included, while its value is `true`. */
export const PAUSED_ANNOTATION = "levelset.dev/paused";

/** Returns whether {@link PAUSED_ANNOTATION} is set to `true` on an object. */
export function isPaused(object: KubeObject): boolean {
  return object.metadata.annotations?.[PAUSED_ANNOTATION] === "true";
}

/**
 * Returns whether `spec.suspend` of a kind of levelset, such as Operand, is true: its controller then writes the status
 * only. Fields of that name of other kinds have other meanings.
 */
export function isSuspended(object: KubeObject & { readonly spec?: unknown }): boolean {
  const { spec } = object;
  const { group } = parseApiVersion(object.apiVersion);
  return group.endsWith(".levelset.dev") && isJsonObject(spec) && spec["suspend"] === true;
}
