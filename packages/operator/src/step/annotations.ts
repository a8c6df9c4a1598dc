import type { KubeObject } from "@levelset/core";

/** Set to `true`, it keeps an object from being reconciled until it is gone. Deletion waits too. */
export const PAUSED_ANNOTATION = "levelset.dev/paused";
/** Any new value asks for a run now, whatever the object waits for. */
export const RECONCILE_ANNOTATION = "levelset.dev/reconcile";

/** Whether somebody asked to leave an object alone. */
export function isPaused(object: KubeObject): boolean {
  return object.metadata.annotations?.[PAUSED_ANNOTATION] === "true";
}
