import type { Kind } from "@levelset/core";
import { liveObject } from "../apply/index.ts";
import type { Followed, Req } from "../step/index.ts";
import type { Claims } from "./claims.ts";
import { formatPlace, removalGroups } from "./install-order.ts";
import type { Place } from "./install-order.ts";
import { orderOfPending } from "./inventory-order.ts";
import { inLanes } from "./lanes.ts";
import { keyOfRef, refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { LiveSurroundings } from "./live-surroundings.ts";
import type { Operand } from "./kinds.ts";
import { partLabel } from "./marks.ts";
import { isWaitSkipped } from "./prune.ts";
import { pruneObjects } from "./prune-objects.ts";
import type { Pruned } from "./prune-objects.ts";
import { decideSweeping } from "./pruning.ts";
import type { Sweeping } from "./pruning.ts";
import { kindOfRef } from "./set-kinds.ts";
import { deletionWait, terminating } from "./terminating.ts";
import type { Terminating } from "./terminating.ts";

/** What carries the label of an Operand among the copies of these kinds. */
export function labelled(operandUid: string, followed: Followed, kinds: readonly Kind[]): readonly LiveRef[] {
  // Of a kind that cannot be watched nothing is found this way; what inventories and the status list is found by name.
  const watched = kinds.filter((kind) => followed.failure(kind) === undefined);
  return watched.flatMap((kind) =>
    followed
      .list(kind)
      .filter(({ metadata }) => metadata.labels?.[partLabel(operandUid)] !== undefined)
      .map(({ metadata }) => plainRef({ group: kind.group, kind: kind.kind, ...keyOfRef(metadata) })),
  );
}

/** What is no longer asked for and still there. */
interface Pending extends LiveRef {
  readonly reason: string;
  readonly message?: string;
  readonly due?: string;
}

/** Why an object is pending that goes as soon as we look again. */
const PRUNING = "Pruning";
/** How long until what a server did not let go is tried again. */
const REFUSED_MS = 60_000;
/** Why an object is pending that goes when those that came after it are gone, and how often that is looked at besides their watch. */
const WAITING = "WaitingForDeletion";
const WAITING_MS = 10_000;

/**
 * Lets go of what an Operand no longer asks for and still has: what waited for its time or for a word, and what was left behind. The
 * status then says what is still there, and counts what is gone.
 */
export async function sweep(
  req: Req<Operand>,
  wanted: readonly LiveRef[],
  strays: readonly LiveRef[],
  claims: Claims,
): Promise<void> {
  const desired = new Set(wanted.map(refId));
  const before = (req.object.status?.pending ?? []).map((one) => ({ ...plainRef(one), place: one.place }));
  const remembered = new Map(before.map(plainRef).map((ref) => [refId(ref), ref]));
  const places = orderOfPending(before);
  const candidates = new Map([...remembered, ...strays.map((ref) => [refId(ref), ref] as const)]);
  const dropped = [...candidates.values()].filter((ref) => !desired.has(refId(ref)));
  const ends = await sweepInOrder(req, removalGroups(dropped, places), new Set(remembered.keys()), claims);
  const pending = ends.flatMap(({ left }) => (left === undefined ? [] : withPlace(left, places)));
  req.status.pending = pending.length === 0 ? undefined : pending;
  // Each once: when the status ceases to name it.
  const pruned = ends.filter(({ ref, isGone }) => isGone && remembered.has(refId(ref)));
  const { counts } = req.status;
  if (counts !== undefined) req.status.counts = { ...counts, pruned: (counts.pruned ?? 0) + pruned.length };
  for (const one of ends) if (one.againMs !== undefined) req.lookAgain(one.againMs);
}

/** What is remembered of a leftover, and where it came when its set was installed. */
function withPlace(left: Pending, places: ReadonlyMap<string, Place>): Pending & { readonly place?: string } {
  const place = places.get(refId(left));
  return place === undefined ? left : { ...left, place: formatPlace(place) };
}

/** A reference without what is said of it. */
function plainRef({ group = "", kind = "", namespace, name = "" }: Partial<LiveRef>): LiveRef {
  return { group, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** What came of one object that is no longer asked for. */
interface End {
  readonly ref: LiveRef;
  readonly isGone: boolean;
  /** Whether it is being deleted and not gone. */
  readonly isTerminating?: boolean;
  /** What is to be said of one that is still there and ours. */
  readonly left?: Pending;
  /** When to look at it again. */
  readonly againMs?: number;
}

/** Group by group, as an inventory removes them: while an object of one is still being deleted, none of the next is. */
async function sweepInOrder(
  req: Req<Operand>,
  groups: readonly (readonly LiveRef[])[],
  remembered: ReadonlySet<string>,
  claims: Claims,
): Promise<readonly End[]> {
  const ends: End[] = [];
  let isWaiting = false;
  for (const refs of groups) {
    const swept = await sweepAll(req, refs, { isWaiting, remembered }, claims);
    ends.push(...swept);
    isWaiting ||= !isWaitSkipped(req.object) && swept.some(({ isTerminating = false }) => isTerminating);
  }
  return ends;
}

async function sweepAll(
  req: Req<Operand>,
  refs: readonly LiveRef[],
  { isWaiting, remembered }: { readonly isWaiting: boolean; readonly remembered: ReadonlySet<string> },
  claims: Claims,
): Promise<readonly End[]> {
  const looked = await inLanes(refs, async (ref) => ({ ref, sweeping: await look(req, ref) }));
  if (isWaiting) return looked.map(({ ref, sweeping }) => heldEnd(ref, sweeping, req));
  // What the status does not name yet is deleted in the next run: an install finds there what may be about to be deleted.
  const named = looked.filter(({ ref }) => remembered.has(refId(ref)));
  const isDue = (isMarked: boolean): readonly LiveRef[] =>
    named.flatMap(({ ref, sweeping }) => (sweeping.kind === "go" && sweeping.isMarked === isMarked ? ref : []));
  const pruned = await letGo(req, isDue(false), isDue(true), claims);
  return inLanes(looked, async ({ ref, sweeping }) => {
    const result = pruned.get(ref);
    if (typeof result === "object") {
      return { ref, isGone: false, left: { ...ref, reason: result.reason }, againMs: REFUSED_MS };
    }
    if (result === "released") return { ref, isGone: false };
    const now = result === undefined || result === "outdated" ? sweeping : await look(req, ref);
    return endOf(ref, now, req);
  });
}

/** What is left of an object while those that go before it are still being deleted. */
function heldEnd(ref: LiveRef, sweeping: Looked, req: Req<Operand>): End {
  if (sweeping.kind !== "go") return endOf(ref, sweeping, req);
  return { ref, isGone: false, left: { ...ref, reason: WAITING }, againMs: WAITING_MS };
}

async function letGo(
  req: Req<Operand>,
  unmarked: readonly LiveRef[],
  marked: readonly LiveRef[],
  claims: Claims,
): Promise<ReadonlyMap<LiveRef, Pruned>> {
  if (unmarked.length + marked.length === 0) return new Map();
  const { client, signal, discovery, object } = req;
  const { name, uid } = object.metadata;
  const view = await LiveSurroundings.read(req, { operand: name, operandUid: uid });
  const pruner = { client, signal, discovery, claims };
  const first = await pruneObjects(pruner, unmarked, view);
  return new Map([...first, ...(await pruneObjects(pruner, marked, view.due()))]);
}

function operandOf({ name }: Req<Operand>): string {
  return `operand/${name}`;
}

/** What is to be done about an object as it is now. */
async function look(req: Req<Operand>, ref: LiveRef): Promise<Looked> {
  const kind = await kindOfRef(ref, req.discovery, req.signal);
  const object = kind === undefined ? undefined : await liveObject(req, kind, keyOfRef(ref));
  if (object === undefined) return { kind: "gone" };
  const { latestReadyActiveOperand: baseline } = req.status;
  const now = req.clock.now();
  const sweeping = decideSweeping(object, { operand: req.object, baseline, now });
  const isTerminating = sweeping.kind === "wait" && sweeping.reason === "BeingDeleted";
  return isTerminating ? { kind: "terminating", object: terminating(ref, object, now) } : sweeping;
}

type Looked = Sweeping | { readonly kind: "gone" } | { readonly kind: "terminating"; readonly object: Terminating };

function endOf(ref: LiveRef, sweeping: Looked, req: Req<Operand>): End {
  switch (sweeping.kind) {
    case "gone":
      return { ref, isGone: true };
    case "leave":
      return { ref, isGone: false };
    case "go":
      return { ref, isGone: false, left: { ...ref, reason: PRUNING }, againMs: 1 };
    case "terminating": {
      const { timeout, now, hintFor } = {
        timeout: req.spec.deletionTimeout,
        now: req.clock.now(),
        hintFor: operandOf(req),
      };
      const { reason, message, dueMs } = deletionWait([sweeping.object], { timeout, now, hintFor });
      const left = { ...ref, reason: reason === WAITING ? "BeingDeleted" : reason, message };
      return {
        ref,
        isGone: false,
        isTerminating: true,
        left,
        ...(dueMs === undefined ? {} : { againMs: Math.max(1, dueMs) }),
      };
    }
    case "wait": {
      const { reason } = sweeping;
      if (!("due" in sweeping)) return { ref, isGone: false, left: { ...ref, reason } };
      const { due } = sweeping;
      return {
        ref,
        isGone: false,
        left: { ...ref, reason, due },
        againMs: Math.max(1_000, Date.parse(due) - req.clock.now()),
      };
    }
  }
}
