import type { Kind } from "@levelset/core";
import { liveObject } from "../apply/index.ts";
import { ok } from "../step/index.ts";
import type { Followed, Req, Result } from "../step/index.ts";
import { inLanes } from "./lanes.ts";
import { keyOfRef, refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { ClusterActiveOperand, Operand } from "./kinds.ts";
import { partLabel } from "./marks.ts";
import { pruneObject } from "./prune-object.ts";
import { decideSweeping, surroundingsOf, whenDue } from "./pruning.ts";
import type { Surroundings } from "./pruning.ts";
import { kindOfRef } from "./set-kinds.ts";

/** What carries the label of an Operand among the copies of these kinds. */
export function labelled(operandUid: string, followed: Followed, kinds: readonly Kind[]): readonly LiveRef[] {
  return kinds.flatMap((kind) =>
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

/**
 * Lets go of what an Operand no longer asks for and still has: what waited for its time or for a word, and what was left behind.
 */
export async function sweep(
  req: Req<Operand>,
  wanted: readonly LiveRef[],
  strays: readonly LiveRef[],
): Promise<Result<undefined>> {
  const desired = new Set(wanted.map(refId));
  const candidates = [...(req.object.status?.pending ?? []), ...(req.status.pending ?? []), ...strays].map(plainRef);
  const distinct = [...new Map(candidates.map((ref) => [refId(ref), ref])).values()].filter(
    (ref) => !desired.has(refId(ref)),
  );
  const surroundings = once(() => liveSurroundings(req));
  const left = await inLanes(distinct, (ref) => sweepOne(req, ref, surroundings));
  const pending = left.flatMap((one) => one ?? []);
  req.status.pending = pending.length === 0 ? undefined : pending;
  const [next] = pending.flatMap(({ due }) => due ?? []).toSorted();
  if (next !== undefined) req.lookAgain(Math.max(1_000, Date.parse(next) - req.clock.now()));
  return ok();
}

/** A reference without what is said of it. */
function plainRef({ group = "", kind = "", namespace, name = "" }: Partial<LiveRef>): LiveRef {
  return { group, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** What stays of an object; undefined when nothing is left to do about it. */
async function sweepOne(
  req: Req<Operand>,
  ref: LiveRef,
  surroundings: () => Promise<Surroundings>,
): Promise<Pending | undefined> {
  const kind = await kindOfRef(ref, req.discovery, req.signal);
  const object = kind === undefined ? undefined : await liveObject(req, kind, keyOfRef(ref));
  if (object === undefined) return undefined;
  const about = { operand: req.object, baseline: req.status.latestReadyActiveOperand, now: req.clock.now() };
  const sweeping = decideSweeping(object, about);
  if (sweeping.kind === "leave") return undefined;
  if (sweeping.kind === "wait") {
    return { ...ref, reason: sweeping.reason, ...("due" in sweeping ? { due: sweeping.due } : {}) };
  }
  const pruned = await pruneObject(req, ref, whenDue(await surroundings(), sweeping));
  if (pruned === "marked") return sweepOne(req, ref, surroundings);
  return typeof pruned === "object" ? { ...ref, reason: pruned.reason } : undefined;
}

/** Read past the cache: what is deleted by an old view is gone for good. */
async function liveSurroundings(req: Req<Operand>): Promise<Surroundings> {
  const { name, uid } = req.object.metadata;
  const operand = await liveObject(req, Operand, { name });
  const { items } = await req.client.list(ClusterActiveOperand, { signal: req.signal });
  return surroundingsOf(items, {
    operand: operand?.metadata.uid === uid ? operand : undefined,
    operandUid: uid,
    going: new Set(),
    isOrphaning: false,
    now: req.clock.now(),
  });
}

/** Asks at the first call, and remembers. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}
