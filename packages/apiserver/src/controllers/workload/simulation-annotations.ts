import { parseGoDurationMs } from "@levelset/core/internal";
import type { KubeObject } from "@levelset/core";

/** Annotations on pods (usually in the template of a workload) that control the simulation. */

/**
 * Simulated failure: `Unschedulable`, `NeverReady`, `CrashLoopBackOff`, or a waiting reason such as `ImagePullBackOff`.
 */
export const FAIL_ANNOTATION: string = "sim.levelset.dev/fail";
/** Start duration of the containers, such as `500ms`. */
export const START_AFTER_ANNOTATION: string = "sim.levelset.dev/start-after";
/** Delay until a running pod becomes ready. */
export const READY_AFTER_ANNOTATION: string = "sim.levelset.dev/ready-after";
/** Run time of the containers of a pod that terminates. */
export const RUN_FOR_ANNOTATION: string = "sim.levelset.dev/run-for";
/** Exit code of the containers. Pods with restart policy Always terminate only if it is set. */
export const EXIT_CODE_ANNOTATION: string = "sim.levelset.dev/exit-code";
/** Stop duration of the containers, limited by the grace period. */
export const STOP_AFTER_ANNOTATION: string = "sim.levelset.dev/stop-after";

/** Returns the duration in an annotation; `fallback` if it is invalid or negative. */
export function annotationMs({ metadata }: KubeObject, annotation: string, fallback: number): number {
  const ms = parseGoDurationMs(metadata.annotations?.[annotation] ?? "") ?? fallback;
  return ms < 0 ? fallback : ms;
}

/** Returns the simulated failure of a pod, or undefined. An image with the tag `does-not-exist` cannot be pulled. */
export function simulatedFailureOf(pod: KubeObject, images: readonly string[]): string | undefined {
  const reported = pod.metadata.annotations?.[FAIL_ANNOTATION];
  if (reported !== undefined && reported !== "") return reported;
  return images.some((image) => image.endsWith(":does-not-exist")) ? "ImagePullBackOff" : undefined;
}

/** Returns the simulated exit code of a pod, or undefined. */
export function simulatedExitCodeOf({ metadata }: KubeObject): number | undefined {
  const text = metadata.annotations?.[EXIT_CODE_ANNOTATION] ?? "";
  return /^\d{1,3}$/u.test(text) ? Number(text) : undefined;
}
