import { formatTimestamp, mapConcurrent } from "@levelset/core/internal";
import { parseGoDurationMs } from "@levelset/core/internal";
import type { Clock, Kind, KubeObject, ObjectKey } from "@levelset/core";
import { liveObject } from "../../apply/index.ts";
import { requeueAfter } from "../../engine/index.ts";
import type { WatchedObjects, Result } from "../../engine/index.ts";
import { REMOVAL_SEVERITY } from "../inventory/removal-hold.ts";
import type { RemovalReason } from "../inventory/removal-hold.ts";
import { distinctKinds } from "../inventory/operand-watches.ts";
import { describeLiveRef, keyOfRef } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import { partLabel, SKIP_DELETION_WAIT } from "../spec/labels-and-annotations.ts";
import { resolveRefKind } from "../spec/kind-resolver.ts";
import type { PruneObjectsOptions } from "./prune-objects.ts";

/** An object that was deleted and is not gone yet. */
export interface Terminating extends LiveRef {
  /** Finalizers that block the deletion. */
  readonly finalizers: readonly string[];
  /** Time of the deletion: RFC 3339. */
  readonly since: string;
}

/** The same with its kind. */
export interface TerminatingObject {
  readonly kind: Kind;
  readonly object: Terminating;
}

/** Why later objects are not deleted yet. */
export interface DeletionWait {
  readonly reason: Extract<RemovalReason, "WaitingForDeletion" | "DeletionTimedOut">;
  readonly message: string;
  /** Delay in milliseconds after which the reason changes by timeout; undefined if it does not. */
  readonly dueMs: number | undefined;
}

const DEFAULT_TIMEOUT = "10m";

/** Returns those objects that still exist and belong to an Operand. */
export async function stillThere(
  pruner: PruneObjectsOptions,
  refs: readonly LiveRef[],
  about: { readonly operandUid: string; readonly now: number },
): Promise<readonly TerminatingObject[]> {
  const found = await mapConcurrent(refs, async (ref): Promise<TerminatingObject | undefined> => {
    const kind = await resolveRefKind(ref, pruner.discovery, pruner.signal);
    const live = kind === undefined ? undefined : await liveObject(pruner, kind, keyOfRef(ref));
    // An object without the label is another one that was created under this name.
    if (kind === undefined || live?.metadata.labels?.[partLabel(about.operandUid)] === undefined) return undefined;
    return { kind, object: terminating(ref, live, about.now) };
  });
  return found.filter((one) => one !== undefined);
}

/** Describes an object that is being deleted. */
export function terminating(ref: LiveRef, { metadata }: KubeObject, now = 0): Terminating {
  const { group, kind, namespace, name } = ref;
  const { finalizers = [], deletionTimestamp = formatTimestamp(now) } = metadata;
  const place = namespace === undefined ? {} : { namespace };
  return { group, kind, ...place, name, finalizers, since: deletionTimestamp };
}

/** Returns the reason and message of a wait for deletions. The message is stable between runs. */
export function deletionWait(
  objects: readonly Terminating[],
  about: { readonly timeout: string | undefined; readonly now: number; readonly hintFor: string },
): DeletionWait {
  const { timeout = DEFAULT_TIMEOUT, now, hintFor } = about;
  const timeoutMs = parseGoDurationMs(timeout) ?? 0;
  const leftMs = ({ since }: Terminating): number => Date.parse(since) + timeoutMs - now;
  const late = objects.filter((object) => leftMs(object) <= 0);
  if (late.length > 0) {
    const hint = `check its finalizers, or skip the wait: kubectl annotate ${hintFor} ${SKIP_DELETION_WAIT}=true`;
    const message = `not deleted within ${timeout}: ${describeFirst(late)}; ${hint}`;
    return { reason: "DeletionTimedOut", message, dueMs: undefined };
  }
  const message = `waiting for deletion: ${describeFirst(objects)}`;
  return { reason: "WaitingForDeletion", message, dueMs: Math.min(...objects.map(leftMs)) };
}

/** Omits the number of objects, which would change the message with each deletion. */
function describeFirst(objects: readonly Terminating[]): string {
  const [first] = objects;
  if (first === undefined) return "";
  return `${describeTerminating(first)}${objects.length > 1 ? " and others" : ""}`;
}

/** Formats `widget.example.com/a in shop (deleted 2026-01-01T00:00:00Z, finalizers example.com/f)`. */
export function describeTerminating(object: Terminating): string {
  const { finalizers, since } = object;
  const held = finalizers.length === 0 ? "" : `, finalizers ${finalizers.join(", ")}`;
  return `${describeLiveRef(object)} (deleted ${since}${held})`;
}

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

/** Returns the result of a run that waits until objects are gone, and why it waits. */
export async function waitForDeletion(
  objects: readonly TerminatingObject[],
  { watch, clock, timeout, hintFor }: DeletionWaitOptions,
): Promise<DeletionWait & { readonly result: Result<never> }> {
  const watched = await watch(distinctKinds(objects.map(({ kind }) => kind)));
  const isSeen = objects.every(({ kind, object }) => copyOf(watched, kind, keyOfRef(object)) !== undefined);
  const now = clock.now();
  const waiting = deletionWait(
    objects.map(({ object }) => object),
    { timeout, now, hintFor },
  );
  const { reason, message, dueMs } = waiting;
  const pollMs = isSeen ? WATCHED_MS : UNWATCHED_MS;
  const on = objects.map(({ kind, object: { namespace, name } }) => ({
    apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
    kind: kind.kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  }));
  const afterMs = Math.max(1, Math.min(pollMs, dueMs ?? pollMs));
  const result = requeueAfter(message, afterMs, {
    reason,
    on: on.slice(0, NAMED_MAX),
    severity: REMOVAL_SEVERITY[reason],
  });
  return { ...waiting, result };
}

/** Maximum number of objects that a condition names. */
const NAMED_MAX = 10;

function copyOf(watched: WatchedObjects, kind: Kind, key: ObjectKey): KubeObject | undefined {
  return watched.failure(kind) === undefined ? watched.get(kind, key) : undefined;
}
