import { generationState } from "@levelset/core";
import type { KubeObject, ObjectOf, Readiness } from "@levelset/core";
import { liveObject } from "../apply/index.ts";
import { ItemApplier } from "./apply-item.ts";
import { followedKinds } from "./followed-kinds.ts";
import type { Health } from "./health.ts";
import type { Item } from "./item.ts";
import { ClusterActiveOperand } from "./kinds.ts";
import type { Operand } from "./kinds.ts";
import { inLanes } from "./lanes.ts";
import { keyOfRef, refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { Patience } from "./patience.ts";
import { inventoryOf } from "./plan.ts";
import type { PlanWorld } from "./plan.ts";
import { readSet } from "./read-set.ts";
import { kindOfRef } from "./set-kinds.ts";
import { Snapshot } from "./snapshot.ts";

/** How far one object of a set is. */
export interface InspectedItem {
  readonly ref: LiveRef;
  /** Whether it is there, and as the set asks for. */
  readonly state: "missing" | "differs" | "applied";
  readonly readiness: Readiness;
  /** What it waits for or what is wrong, in words; absent when nothing is. */
  readonly message?: string;
}

/** How far the objects of a set are. */
export type Inspection =
  | {
      readonly kind: "set";
      readonly items: readonly InspectedItem[];
      /** How many objects that are no longer asked for went since this generation was asked for. */
      readonly pruned: number;
      /** How many that are in all: those, and what the status names as pending. */
      readonly dropped: number;
    }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** Looks at every object of an Operand's set, by the judgement of the real run. Nothing is written. */
export async function inspectOperand(operand: ObjectOf<Operand>, world: PlanWorld): Promise<Inspection> {
  const { client, discovery, signal } = world;
  const set = await readSet(operand.spec, discovery, signal);
  if (set.kind === "bad") return { kind: "invalid", problems: set.problems };
  const { manifest, kinds, health } = set;
  const inventories = (await client.list(ClusterActiveOperand, { signal })).items;
  const inventory = inventoryOf(operand, manifest.refs, inventories);
  const snapshot = await Snapshot.of(operand.metadata.uid, await followedKinds(operand, set, world), world);
  const applier = new ItemApplier({ client, followed: snapshot, kinds, operand, inventory, signal, dryRun: true });
  const patience = new Patience(operand.status, world.clock.now());
  const told = new Map((operand.status?.failing ?? []).map((one) => [refId(one), one.message]));
  const items = await inLanes(manifest.merged, async (item): Promise<InspectedItem> => {
    const found = kinds.get(item.object);
    // Only what we label is among the copies: what is there without it is not ours, and not known to be as asked for.
    const isUnlisted = found !== undefined && snapshot.failure(found.kind) !== undefined;
    const looked =
      found?.isServed === true && (isUnlisted || item.mode !== "Reconcile")
        ? await snapshot.look(found.kind, keyOfRef(item.ref))
        : undefined;
    const live = looked ?? applier.copyOf(item);
    const isApplied =
      found !== undefined &&
      live !== undefined &&
      (item.mode !== "Reconcile" || (await applier.isReached(item, found.kind, live)));
    const readiness = readinessOfItem(item, live, health, patience);
    const state = live === undefined ? "missing" : isApplied ? "applied" : "differs";
    const message = told.get(refId(item.ref)) ?? (readiness.kind === "ready" ? undefined : readiness.message);
    return { ref: item.ref, state, readiness, ...(message === undefined ? {} : { message }) };
  });
  return { kind: "set", items, ...(await prunedOf(operand, world)) };
}

async function prunedOf(
  operand: ObjectOf<Operand>,
  world: PlanWorld,
): Promise<{ readonly pruned: number; readonly dropped: number }> {
  const { status } = operand;
  const pending = status?.pending ?? [];
  const gone = await inLanes(pending, async (ref) => {
    const kind = await kindOfRef(ref, world.discovery, world.signal);
    return kind === undefined || (await liveObject(world, kind, keyOfRef(ref))) === undefined;
  });
  const counted = generationState(operand) === "current" ? (status?.counts?.pruned ?? 0) : 0;
  return { pruned: counted + gone.filter(Boolean).length, dropped: counted + pending.length };
}

function readinessOfItem(
  { mode, ref }: Item,
  live: KubeObject | undefined,
  health: Health,
  patience: Patience,
): Readiness {
  if (mode === "Ignore" || (live !== undefined && mode === "EnsureExists")) return { kind: "ready", message: "" };
  if (live === undefined) return { kind: "progressing", message: "not there yet" };
  return health.of(live, patience.waitedMs(ref, live));
}
