import { isPaused, PAUSED_ANNOTATION } from "@levelset/core";
import { isSuspended } from "@levelset/core/internal";
import type { KubeObject, ObjectState } from "@levelset/core";
import { nodeStatusOf } from "@levelset/operator/internal";
import type { DisplayState } from "../../api/index.ts";

/** State of an object for display, and its message. */
export interface DisplayStatus {
  readonly state: DisplayState;
  readonly message: string;
}

/** The states as the pages receive them. */
const DISPLAY_STATES: Readonly<Record<ObjectState, DisplayState>> = {
  Ready: "ready",
  Progressing: "progressing",
  Degraded: "degraded",
  Failed: "failed",
  Deleting: "deleting",
  Paused: "paused",
  Unknown: "unknown",
};

/** Returns a state as the pages receive it. */
export function displayStateOf(state: ObjectState): DisplayState {
  return DISPLAY_STATES[state];
}

/** Returns the state of an object as the CLI shows it; the message of a paused object names the field that pauses it. */
export function displayStatus(object: KubeObject, hasStatus: boolean): DisplayStatus {
  const { objectState, message } = nodeStatusOf({ object, hasStatus });
  const pause = objectState === "Paused" ? pauseReason(object) : undefined;
  return { state: displayStateOf(objectState), message: pause ?? message };
}

/** Returns the field that pauses an object; undefined if only its status reports a pause. */
function pauseReason(object: KubeObject): string | undefined {
  if (isSuspended(object)) return "spec.suspend is true";
  return isPaused(object) ? `the annotation ${PAUSED_ANNOTATION} is true` : undefined;
}
