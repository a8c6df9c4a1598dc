import { Namespace, StatusError } from "@levelset/core";
import type { AnyCustomKind } from "@levelset/core";
import { liveObject } from "../apply/index.ts";
import { CLEANUP_SKIPPED, forceHint, ok, terminal } from "../engine/index.ts";
import type { Req, Result } from "../engine/index.ts";

/**
 * What a cleanup does that its terminating namespace makes impossible: it is skipped, with a Warning, or it blocks the
 * deletion until a person skips it.
 */
export type OnNamespaceTermination = "skip" | "block";

/** Reason of the condition of a cleanup that its terminating namespace makes impossible. */
const NAMESPACE_TERMINATING = "NamespaceTerminating";

/** Reports whether the server refused to create an object because its namespace is being deleted. */
export function isNamespaceTerminating(error: unknown): error is StatusError {
  // The cause that the server's admission plugin NamespaceLifecycle adds (k8s.io/api/core/v1: NamespaceTerminatingCause).
  return (
    error instanceof StatusError &&
    error.details?.causes?.some(({ reason }) => reason === NAMESPACE_TERMINATING) === true
  );
}

/** Reports whether the namespace of the object is being deleted, as read from the server; false if it cannot be read. */
export async function isNamespaceDeleted<K extends AnyCustomKind>(req: Req<K, never>): Promise<boolean> {
  if (req.namespace === undefined) return false;
  try {
    const namespace = await liveObject(req, Namespace, { name: req.namespace });
    return namespace?.metadata.deletionTimestamp !== undefined;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}

/** Ends a cleanup that its terminating namespace makes impossible. Nothing can be created there again. */
export function endCleanup<K extends AnyCustomKind>(
  req: Pick<Req<K, never>, "namespace" | "event" | "logger">,
  step: string,
  mode: OnNamespaceTermination,
  problem: string,
): Result<undefined> {
  const why = `namespace ${req.namespace} is being deleted: ${problem}`;
  if (mode === "block") return terminal(`${why}; ${forceHint(step)}`, { reason: NAMESPACE_TERMINATING });
  const message = `cleanup of step ${step} is skipped, because ${why}`;
  req.logger.warn("cleanup skipped in a terminating namespace", { message });
  req.event({ type: "Warning", reason: CLEANUP_SKIPPED, message });
  return ok();
}
