import type { AnyCustomKind, KubeObject } from "@levelset/core";
import { forceHint } from "./forced-cleanup.ts";
import { describeResult } from "./step/result.ts";
import type { AnyResult } from "./step/result.ts";
import type { Step } from "./step/step.ts";

/** Reason of the condition of a step whose cleanup has exceeded its deadline. */
const TIMED_OUT = "CleanupTimedOut";

/** The deadline of a cleanup at a time. It is counted from the deletion of the object, so a restart does not move it. */
export type CleanupDeadline =
  | { readonly kind: "none" }
  | { readonly kind: "ahead"; readonly leftMs: number }
  | { readonly kind: "exceeded" };

/** Returns the state of a step's cleanup deadline at the time `now`. */
export function cleanupDeadline<K extends AnyCustomKind>(
  { deadlineMs }: Step<K>,
  { metadata }: KubeObject,
  now: number,
): CleanupDeadline {
  if (deadlineMs === undefined || metadata.deletionTimestamp === undefined) return { kind: "none" };
  const leftMs = Date.parse(metadata.deletionTimestamp) + deadlineMs - now;
  return leftMs > 0 ? { kind: "ahead", leftMs } : { kind: "exceeded" };
}

/** Returns the result of a cleanup that is not ok after its deadline: it is retried as before, and needs a person. */
export function timedOutResult<K extends AnyCustomKind>(
  { name, deadlineMs = 0 }: Step<K>,
  result: AnyResult,
): AnyResult {
  if (result.kind === "ok") return result;
  const limit = `not cleaned up within ${deadlineMs / 1_000} s of the deletion`;
  const message = `${describeResult(result)}; ${limit}: ${forceHint(name)}`;
  const condition = { ...result.condition, severity: "Error", reason: TIMED_OUT } as const;
  if (result.kind === "wait" || result.kind === "requeueAfter") return { ...result, reason: message, condition };
  return { ...result, error: new Error(message, { cause: result.error }), condition };
}
