import type { ObjectOf, Readiness } from "@levelset/core";
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
      /** How many of the objects that the status names as pending are gone. */
      readonly pruned: number;
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
  const told = new Map((operand.status?.failing ?? []).map((one) => [refId(one), one.message]));
  const items: InspectedItem[] = [];
  for (const item of manifest.merged) {
    const found = kinds.get(item.object);
    // Only what we label is among the copies: what is there without it is not ours, and not known to be as asked for.
    if (found?.isServed === true && item.mode !== "Reconcile") await snapshot.look(found.kind, keyOfRef(item.ref));
    const live = applier.copyOf(item);
    const isApplied =
      found !== undefined &&
      live !== undefined &&
      (item.mode !== "Reconcile" || applier.isApplied(item, found.kind, live));
    const readiness = readinessOfItem(item, live, health);
    const state = live === undefined ? "missing" : isApplied ? "applied" : "differs";
    const message = told.get(refId(item.ref)) ?? (readiness.kind === "ready" ? undefined : readiness.message);
    items.push({ ref: item.ref, state, readiness, ...(message === undefined ? {} : { message }) });
  }
  return { kind: "set", items, pruned: await prunedOf(operand, world) };
}

async function prunedOf(operand: ObjectOf<Operand>, world: PlanWorld): Promise<number> {
  const gone = await inLanes(operand.status?.pending ?? [], async (ref) => {
    const kind = await kindOfRef(ref, world.discovery, world.signal);
    return kind === undefined || (await liveObject(world, kind, keyOfRef(ref))) === undefined;
  });
  return gone.filter(Boolean).length;
}

function readinessOfItem({ mode }: Item, live: Parameters<Health["of"]>[0] | undefined, health: Health): Readiness {
  if (mode === "Ignore" || (live !== undefined && mode === "EnsureExists")) return { kind: "ready", message: "" };
  return live === undefined ? { kind: "progressing", message: "not there yet" } : health.of(live, 0);
}
