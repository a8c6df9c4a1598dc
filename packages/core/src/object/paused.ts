import type { KubeObject } from "./object.ts";

/** Annotation that pauses reconciliation of an object, cleanup included, while its value is `true`. */
export const PAUSED_ANNOTATION = "levelset.dev/paused";

/** Returns whether {@link PAUSED_ANNOTATION} is set to `true` on an object. */
export function isPaused(object: KubeObject): boolean {
  return object.metadata.annotations?.[PAUSED_ANNOTATION] === "true";
}
