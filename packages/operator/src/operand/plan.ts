import { apiVersionOf, controllerOf, isDeleting, managerUid } from "@levelset/core";
import type { Clock, KubeObject, ObjectOf } from "@levelset/core";
import type { Reach } from "../apply/index.ts";
import type { Discovery } from "../client/index.ts";
import { ItemApplier } from "./apply-item.ts";
import { applySet } from "./apply-set.ts";
import { followedKinds } from "./followed-kinds.ts";
import { inventoryName } from "./inventory.ts";
import type { Inventory } from "./inventory.ts";
import type { Item } from "./item.ts";
import { ClusterActiveOperand } from "./kinds.ts";
import type { Operand } from "./kinds.ts";
import { refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import type { JudgedItem } from "./outcome.ts";
import { PlanApplier } from "./plan-applier.ts";
import type { PlannedItem } from "./plan-applier.ts";
import { planPrune } from "./plan-prune.ts";
import type { PlannedPrune } from "./plan-prune.ts";
import { surroundingsOf } from "./pruning.ts";
import { readSet } from "./read-set.ts";
import type { GoodSet } from "./read-set.ts";
import { Snapshot } from "./snapshot.ts";
import { labelled } from "./sweep.ts";

/** What a run would do about an Operand now. */
export type OperandPlan =
  | {
      readonly kind: "plan";
      /** Every object of the set, in the order of the spec. */
      readonly items: readonly PlannedItem[];
      /** What is no longer asked for. */
      readonly prunes: readonly PlannedPrune[];
      /** Whether nothing of it happens before the Operand is resumed. */
      readonly isSuspended: boolean;
      /** Kinds that could not be listed with the rights of the caller, and why: objects of them that were left behind may be missing. */
      readonly unlisted: readonly string[];
    }
  /** Nothing would be done, for the set cannot be understood. */
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** What a plan is made with. */
export interface PlanWorld extends Reach {
  readonly discovery: Discovery;
  readonly clock: Pick<Clock, "now">;
}

/** The uid of an inventory that is still to come. */
const NO_UID = "00000000-0000-0000-0000-000000000000";

/**
 * What a run would do about an Operand now, if everything it waits for becomes ready: by the same code, with a server that is only asked.
 * Nothing is written. The Operand is one that is there, or what the server answers to a dry run of creating or changing it.
 */
export async function planOperand(operand: ObjectOf<Operand>, world: PlanWorld): Promise<OperandPlan> {
  const { discovery, signal } = world;
  const isSuspended = operand.spec.suspend;
  const inventories = (await world.client.list(ClusterActiveOperand, { signal })).items;
  if (isDeleting(operand)) {
    const prunes = await prunesOf(operand, { inventories, baseline: "", strays: [], isReached: true }, world);
    return { kind: "plan", items: [], prunes, isSuspended: false, unlisted: [] };
  }
  const set = await readSet(operand.spec, discovery, signal);
  if (set.kind === "bad") return { kind: "invalid", problems: set.problems };
  const inventory = inventoryOf(operand, set.manifest.refs, inventories);
  const kinds = await followedKinds(operand, set, world);
  const snapshot = await Snapshot.of(operand.metadata.uid, kinds, world);
  const { items, isReached } = await itemsOf(operand, set, { inventory, snapshot }, world);
  const strays = [...(operand.status?.pending ?? []), ...labelled(operand.metadata.uid, snapshot, kinds)];
  const baseline = inventory.metadata.name;
  const prunes = await prunesOf(operand, { inventories, baseline, strays, isReached }, world);
  const unlisted = snapshot.failures.map(({ message }) => message);
  return { kind: "plan", items, prunes, isSuspended, unlisted };
}

/** The inventory of the set: the one that is there, or one as it will be. */
export function inventoryOf(
  operand: ObjectOf<Operand>,
  refs: readonly LiveRef[],
  inventories: readonly Inventory[],
): KubeObject {
  for (let collisions = operand.status?.collisionCount ?? 0; ; collisions++) {
    const name = inventoryName(operand, refs, collisions);
    const present = inventories.find(({ metadata }) => metadata.name === name);
    if (present === undefined) {
      const { kind } = ClusterActiveOperand;
      const apiVersion = apiVersionOf(ClusterActiveOperand);
      return { apiVersion, kind, metadata: { name, uid: NO_UID, resourceVersion: "" } };
    }
    if (controllerOf(present)?.uid === operand.metadata.uid) return present;
  }
}

/** What is waited for is taken to come. */
const HOPE = { of: () => ({ kind: "ready", message: "" }) as const };
const NO_TIME = { waitedMs: () => 0 };

interface PlannedItems {
  readonly items: readonly PlannedItem[];
  /** Whether every object gets to be as it should be. */
  readonly isReached: boolean;
}

/** Both phases of installing, as the real run goes through them. */
async function itemsOf(
  operand: ObjectOf<Operand>,
  { manifest, kinds }: GoodSet,
  { inventory, snapshot }: { readonly inventory: KubeObject; readonly snapshot: Snapshot },
  { client, signal }: PlanWorld,
): Promise<PlannedItems> {
  const operandUid = operand.metadata.uid;
  const asking = { client, followed: snapshot, kinds, operand, inventory, signal, dryRun: true };
  const applier = new PlanApplier({ applier: new ItemApplier(asking), snapshot, kinds, operandUid, inventory });
  const apply = async (items: readonly Item[]): Promise<readonly JudgedItem[]> =>
    (await applySet(items, { applier, health: HOPE, patience: NO_TIME })).items;
  const isAgain = operand.status?.installedSteadyStateGeneration === operand.metadata.generation;
  const first = isAgain ? [] : await apply(manifest.steadyState);
  const isFirstDone = first.every(isApplied);
  const outcomes = new Map(
    (isFirstDone ? await apply(manifest.merged) : first).map((judged) => [refId(judged.item.ref), judged]),
  );
  const items = manifest.merged.map(
    (item) => applier.planned(item.ref) ?? heldItem(item, outcomes.get(refId(item.ref))),
  );
  return { items, isReached: isFirstDone && [...outcomes.values()].every(isApplied) };
}

function isApplied({ outcome }: JudgedItem): boolean {
  return outcome.kind === "applied";
}

/** An object that it does not come to. */
function heldItem({ ref, at }: Item, judged: JudgedItem | undefined): PlannedItem {
  const outcome = judged?.outcome;
  const { reason, message } =
    outcome === undefined || outcome.kind === "applied"
      ? { reason: "SteadyStateFirst", message: "steadyState must be installed first" }
      : outcome;
  const action = outcome?.kind === "failed" ? "refuse" : "hold";
  return { ref, at, action, reason, message, isAdopted: false, isGuess: false };
}

async function prunesOf(
  operand: ObjectOf<Operand>,
  about: {
    readonly inventories: readonly Inventory[];
    readonly baseline: string;
    readonly strays: readonly LiveRef[];
    readonly isReached: boolean;
  },
  world: PlanWorld,
): Promise<readonly PlannedPrune[]> {
  const { inventories, baseline } = about;
  const { uid } = operand.metadata;
  const going = inventories.filter((one) => managerUid(one) === uid && one.metadata.name !== baseline);
  const departure = {
    operand,
    operandUid: uid,
    going: new Set(going.map(({ metadata }) => metadata.uid)),
    isOrphaning: isDeleting(operand) && operand.spec.deletionPolicy === "Orphan",
    now: world.clock.now(),
  };
  const around = surroundingsOf(inventories, departure);
  return planPrune({ ...world, ...about, operand, going, around });
}
