import { timestamp } from "@levelset/core";
import type { Kind, KubeObject } from "@levelset/core";
import { liveObject } from "../apply/index.ts";
import { durationMs } from "./duration-ms.ts";
import { inLanes } from "./lanes.ts";
import { describeLiveRef, keyOfRef } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { partLabel, SKIP_DELETION_WAIT } from "./marks.ts";
import type { Pruner } from "./prune-objects.ts";
import { kindOfRef } from "./set-kinds.ts";

/** An object that was deleted and is not gone yet. */
export interface Terminating extends LiveRef {
  /** What holds it. */
  readonly finalizers: readonly string[];
  /** When it was deleted: RFC 3339. */
  readonly since: string;
}

/** The same, and its kind. */
export interface TerminatingObject {
  readonly kind: Kind;
  readonly object: Terminating;
}

/** Why objects that go later are not deleted yet. */
export interface DeletionWait {
  readonly reason: "WaitingForDeletion" | "DeletionTimedOut";
  readonly message: string;
  /** When the reason changes by time alone, in milliseconds; undefined when it does not. */
  readonly dueMs: number | undefined;
}

const DEFAULT_TIMEOUT = "10m";

/** Which of these objects are still there, and an Operand's. */
export async function stillThere(
  pruner: Pruner,
  refs: readonly LiveRef[],
  about: { readonly operandUid: string; readonly now: number },
): Promise<readonly TerminatingObject[]> {
  const found = await inLanes(refs, async (ref): Promise<TerminatingObject | undefined> => {
    const kind = await kindOfRef(ref, pruner.discovery, pruner.signal);
    const live = kind === undefined ? undefined : await liveObject(pruner, kind, keyOfRef(ref));
    // One without the label is another object that was created under this name.
    if (kind === undefined || live?.metadata.labels?.[partLabel(about.operandUid)] === undefined) return undefined;
    return { kind, object: terminating(ref, live, about.now) };
  });
  return found.filter((one) => one !== undefined);
}

/** What is known of an object that is being deleted. */
export function terminating(ref: LiveRef, { metadata }: KubeObject, now = 0): Terminating {
  const { group, kind, namespace, name } = ref;
  const { finalizers = [], deletionTimestamp = timestamp(now) } = metadata;
  const place = namespace === undefined ? {} : { namespace };
  return { group, kind, ...place, name, finalizers, since: deletionTimestamp };
}

/** What is to be said while objects are waited for. The words stay the same from one look to the next. */
export function deletionWait(
  objects: readonly Terminating[],
  about: { readonly timeout: string | undefined; readonly now: number; readonly hintFor: string },
): DeletionWait {
  const { timeout = DEFAULT_TIMEOUT, now, hintFor } = about;
  const timeoutMs = durationMs(timeout) ?? 0;
  const leftMs = ({ since }: Terminating): number => Date.parse(since) + timeoutMs - now;
  const late = objects.filter((object) => leftMs(object) <= 0);
  if (late.length > 0) {
    const hint = `look at what holds it, or go on without it: kubectl annotate ${hintFor} ${SKIP_DELETION_WAIT}=true`;
    const message = `not gone within ${timeout}: ${describeFirst(late)}; ${hint}`;
    return { reason: "DeletionTimedOut", message, dueMs: undefined };
  }
  const message = `waiting until it is gone: ${describeFirst(objects)}`;
  return { reason: "WaitingForDeletion", message, dueMs: Math.min(...objects.map(leftMs)) };
}

/** Without their number, which would be written anew with each of them that goes. */
function describeFirst(objects: readonly Terminating[]): string {
  const [first] = objects;
  if (first === undefined) return "";
  return `${describeTerminating(first)}${objects.length > 1 ? " and others" : ""}`;
}

/** `widget.example.com/a in shop (deleted 2026-01-01T00:00:00Z, finalizers example.com/f)`. */
export function describeTerminating(object: Terminating): string {
  const { finalizers, since } = object;
  const held = finalizers.length === 0 ? "" : `, finalizers ${finalizers.join(", ")}`;
  return `${describeLiveRef(object)} (deleted ${since}${held})`;
}
