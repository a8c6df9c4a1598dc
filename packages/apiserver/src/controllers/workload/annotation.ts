import { parseGoDuration } from "@levelset/core";
import type { KubeObject } from "@levelset/core";

/**
 * Annotations on pods (most often in a workload's template) that steer the simulation.
 */

/** What goes wrong: `Unschedulable`, `NeverReady`, `CrashLoopBackOff`, or a reason to wait such as `ImagePullBackOff`. */
export const FAIL: string = "sim.levelset.dev/fail";
/** How long containers take to start, such as `500ms`. */
export const START_AFTER: string = "sim.levelset.dev/start-after";
/** How long a running pod takes to become ready. */
export const READY_AFTER: string = "sim.levelset.dev/ready-after";
/** How long the containers of a pod run that is meant to end. */
export const RUN_FOR: string = "sim.levelset.dev/run-for";
/** With which code they end. A pod that is always restarted ends only if this is given. */
export const EXIT_CODE: string = "sim.levelset.dev/exit-code";
/** How long containers take to stop, at most their grace period. */
export const STOP_AFTER: string = "sim.levelset.dev/stop-after";

/** Milliseconds of a duration such as `1m30s`, `200ms` or `5s`; undefined for anything else, and for less than nothing. */
export function durationMs(text: string): number | undefined {
  const nanoseconds = parseGoDuration(text);
  return nanoseconds === undefined || nanoseconds < 0n ? undefined : Number(nanoseconds) / 1e6;
}

/** The duration that an annotation gives; `fallback` where it gives none. */
export function annotatedMs({ metadata }: KubeObject, annotation: string, fallback: number): number {
  return durationMs(metadata.annotations?.[annotation] ?? "") ?? fallback;
}

/** What goes wrong with a pod, if anything. An image with the tag `does-not-exist` cannot be pulled. */
export function failureOf(pod: KubeObject, images: readonly string[]): string | undefined {
  const told = pod.metadata.annotations?.[FAIL];
  if (told !== undefined && told !== "") return told;
  return images.some((image) => image.endsWith(":does-not-exist")) ? "ImagePullBackOff" : undefined;
}

/** The exit code that a pod is told to end with; undefined where it is not told. */
export function exitCodeOf({ metadata }: KubeObject): number | undefined {
  const text = metadata.annotations?.[EXIT_CODE] ?? "";
  return /^\d{1,3}$/u.test(text) ? Number(text) : undefined;
}
