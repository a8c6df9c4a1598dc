import type { Kind } from "@levelset/core";
import { liveObject } from "../apply/index.ts";
import type { Followed, Req } from "../step/index.ts";
import type { Claims } from "./claims.ts";
import { inLanes } from "./lanes.ts";
import { keyOfRef, refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { LiveSurroundings } from "./live-surroundings.ts";
import type { Operand } from "./kinds.ts";
import { partLabel } from "./marks.ts";
import { pruneObjects } from "./prune-objects.ts";
import type { Pruned } from "./prune-objects.ts";
import { decideSweeping } from "./pruning.ts";
import type { Sweeping } from "./pruning.ts";
import { kindOfRef } from "./set-kinds.ts";

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
  readonly due?: string;
}

/** Why an object is pending that goes as soon as we look again. */
const PRUNING = "Pruning";
/** How long until what a server did not let go is tried again. */
const REFUSED_MS = 60_000;

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
  const remembered = new Map((req.status.pending ?? []).map(plainRef).map((ref) => [refId(ref), ref]));
  const candidates = new Map([...remembered, ...strays.map((ref) => [refId(ref), ref] as const)]);
  const dropped = [...candidates.values()].filter((ref) => !desired.has(refId(ref)));
  const ends = await sweepAll(req, dropped, claims);
  const pending = ends.flatMap(({ left }) => left ?? []);
  req.status.pending = pending.length === 0 ? undefined : pending;
  // Each once: when the status ceases to name it, or when it is deleted without having been named.
  const pruned = ends.filter(({ ref, isGone, isDeleted }) => isGone && (isDeleted || remembered.has(refId(ref))));
  const { counts } = req.status;
  if (counts !== undefined) req.status.counts = { ...counts, pruned: (counts.pruned ?? 0) + pruned.length };
  for (const one of ends) if (one.againMs !== undefined) req.lookAgain(one.againMs);
}

/** A reference without what is said of it. */
function plainRef({ group = "", kind = "", namespace, name = "" }: Partial<LiveRef>): LiveRef {
  return { group, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** What came of one object that is no longer asked for. */
interface End {
  readonly ref: LiveRef;
  readonly isGone: boolean;
  /** Whether we have just deleted it. */
  readonly isDeleted?: boolean;
  /** What is to be said of one that is still there and ours. */
  readonly left?: Pending;
  /** When to look at it again. */
  readonly againMs?: number;
}

async function sweepAll(req: Req<Operand>, refs: readonly LiveRef[], claims: Claims): Promise<readonly End[]> {
  const looked = await inLanes(refs, async (ref) => ({ ref, sweeping: await look(req, ref) }));
  const isDue = (isMarked: boolean): readonly LiveRef[] =>
    looked.flatMap(({ ref, sweeping }) => (sweeping.kind === "go" && sweeping.isMarked === isMarked ? ref : []));
  const pruned = await letGo(req, isDue(false), isDue(true), claims);
  return inLanes(looked, async ({ ref, sweeping }) => {
    const result = pruned.get(ref);
    if (typeof result === "object") {
      return { ref, isGone: false, left: { ...ref, reason: result.reason }, againMs: REFUSED_MS };
    }
    if (result === "released") return { ref, isGone: false };
    const now = result === undefined || result === "outdated" ? sweeping : await look(req, ref);
    return { ...endOf(ref, now, req.clock.now()), isDeleted: result === "deleted" };
  });
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

/** What is to be done about an object as it is now. */
async function look(req: Req<Operand>, ref: LiveRef): Promise<Sweeping | { readonly kind: "gone" }> {
  const kind = await kindOfRef(ref, req.discovery, req.signal);
  const object = kind === undefined ? undefined : await liveObject(req, kind, keyOfRef(ref));
  if (object === undefined) return { kind: "gone" };
  const { latestReadyActiveOperand: baseline } = req.status;
  return decideSweeping(object, { operand: req.object, baseline, now: req.clock.now() });
}

function endOf(ref: LiveRef, sweeping: Awaited<ReturnType<typeof look>>, now: number): End {
  switch (sweeping.kind) {
    case "gone":
      return { ref, isGone: true };
    case "leave":
      return { ref, isGone: false };
    case "go":
      return { ref, isGone: false, left: { ...ref, reason: PRUNING }, againMs: 1 };
    case "wait": {
      const { reason } = sweeping;
      if (!("due" in sweeping)) return { ref, isGone: false, left: { ...ref, reason } };
      const { due } = sweeping;
      return { ref, isGone: false, left: { ...ref, reason, due }, againMs: Math.max(1_000, Date.parse(due) - now) };
    }
  }
}
