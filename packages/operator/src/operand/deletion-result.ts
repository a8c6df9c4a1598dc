import type { Clock, Kind, KubeObject, ObjectKey } from "@levelset/core";
import { requeueAfter } from "../engine/index.ts";
import type { WatchedObjects, Result } from "../engine/index.ts";
import { distinctKinds } from "./operand-watches.ts";
import { keyOfRef } from "./live-ref.ts";
import { deletionWait } from "./terminating.ts";
import type { TerminatingObject } from "./terminating.ts";

/** Intervals between reads of objects that are being deleted: with a watch, and without one. */
const WATCHED_MS = 60_000;
const UNWATCHED_MS = 2_000;

/** Options of {@link waitForDeletion}. */
export interface DeletionWaitOptions {
  /** Starts watches of kinds, so that the deletion of an object enqueues the request. */
  readonly watch: (kinds: readonly Kind[]) => Promise<WatchedObjects>;
  readonly clock: Pick<Clock, "now">;
  readonly timeout: string | undefined;
  /** Object to annotate, as an argument of `kubectl annotate`: `operand/shop`. */
  readonly hintFor: string;
}

/** Returns the result of a run that waits until objects are gone. */
export async function waitForDeletion(
  objects: readonly TerminatingObject[],
  { watch, clock, timeout, hintFor }: DeletionWaitOptions,
): Promise<Result<undefined>> {
  const watched = await watch(distinctKinds(objects.map(({ kind }) => kind)));
  const isSeen = objects.every(({ kind, object }) => copyOf(watched, kind, keyOfRef(object)) !== undefined);
  const now = clock.now();
  const { reason, message, dueMs } = deletionWait(
    objects.map(({ object }) => object),
    { timeout, now, hintFor },
  );
  const pollMs = isSeen ? WATCHED_MS : UNWATCHED_MS;
  const on = objects.map(({ kind, object: { namespace, name } }) => ({
    apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
    kind: kind.kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  }));
  const severity = reason === "DeletionTimedOut" ? { severity: "Error" as const } : {};
  const afterMs = Math.max(1, Math.min(pollMs, dueMs ?? pollMs));
  return requeueAfter(message, afterMs, { reason, on: on.slice(0, NAMED_MAX), ...severity });
}

/** Maximum number of objects that a condition names. */
const NAMED_MAX = 10;

function copyOf(watched: WatchedObjects, kind: Kind, key: ObjectKey): KubeObject | undefined {
  return watched.failure(kind) === undefined ? watched.get(kind, key) : undefined;
}
