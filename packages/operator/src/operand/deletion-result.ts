import type { Clock, Kind, KubeObject, ObjectKey } from "@levelset/core";
import { requeueAfter } from "../step/index.ts";
import type { Followed, Result } from "../step/index.ts";
import { distinctKinds } from "./follow.ts";
import { keyOfRef } from "./live-ref.ts";
import { deletionWait } from "./terminating.ts";
import type { TerminatingObject } from "./terminating.ts";

/** How often objects that are being deleted are read where their end is seen by a watch, and where it is not. */
const WATCHED_MS = 60_000;
const UNWATCHED_MS = 2_000;

/** What waiting for deletions takes. */
export interface DeletionWaitOptions {
  /** Begins to watch kinds, so that the end of an object enqueues the request. */
  readonly watch: (kinds: readonly Kind[]) => Promise<Followed>;
  readonly clock: Pick<Clock, "now">;
  readonly timeout: string | undefined;
  /** The object that an annotation goes on, as `kubectl annotate` takes it: `operand/shop`. */
  readonly hintFor: string;
}

/** The result of a run that waits until objects are gone. */
export async function waitForDeletion(
  objects: readonly TerminatingObject[],
  { watch, clock, timeout, hintFor }: DeletionWaitOptions,
): Promise<Result<undefined>> {
  const followed = await watch(distinctKinds(objects.map(({ kind }) => kind)));
  const isSeen = objects.every(({ kind, object }) => copyOf(followed, kind, keyOfRef(object)) !== undefined);
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

/** How many objects a condition refers to. */
const NAMED_MAX = 10;

function copyOf(followed: Followed, kind: Kind, key: ObjectKey): KubeObject | undefined {
  return followed.failure(kind) === undefined ? followed.get(kind, key) : undefined;
}
