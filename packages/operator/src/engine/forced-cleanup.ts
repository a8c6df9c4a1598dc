import type { AnyCustomKind, KubeObject } from "@levelset/core";
import type { Step } from "./step/step.ts";

/** Annotation with the names of steps, separated by commas, whose cleanup is skipped when the object is deleted. */
export const FORCE_CLEANUP_ANNOTATION = "levelset.dev/force-cleanup";

/** Reason of the Event that reports a skipped cleanup. */
export const CLEANUP_SKIPPED = "CleanupSkipped";

/** Reports whether a person has requested to skip the cleanup of a step. Only the exact name of the step counts. */
export function isCleanupForced<K extends AnyCustomKind>(
  { metadata }: KubeObject,
  { name, cleanup }: Step<K>,
): boolean {
  if (cleanup === undefined) return false;
  const names = metadata.annotations?.[FORCE_CLEANUP_ANNOTATION]?.split(",") ?? [];
  return names.some((each) => each.trim() === name);
}

/** Returns the part of a message that describes how to skip the cleanup of a step. */
export function forceHint(step: string): string {
  return `to delete the object without this cleanup, set its annotation ${FORCE_CLEANUP_ANNOTATION} to ${step}`;
}
