import { apiVersionOf, controllerOf, InputError, isDeleting, StatusError } from "@levelset/core";
import { controllingOwnerUid } from "@levelset/core/internal";
import type { Clock, KubeObject, ObjectOf } from "@levelset/core";
import type { ClientContext } from "../../apply/index.ts";
import type { Discovery } from "../../client/index.ts";
import { ItemApplier } from "../apply/apply-item.ts";
import { ItemCache } from "../apply/item-cache.ts";
import { applySet } from "../apply/apply-set.ts";
import { watchedKinds } from "../apply/watched-kinds.ts";
import { inventoryName } from "../inventory/inventory.ts";
import type { Inventory } from "../inventory/inventory.ts";
import type { ManifestItem } from "../spec/item.ts";
import { ClusterActiveOperand } from "../spec/operand-kinds.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { liveRefId } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import type { ItemResult } from "../apply/apply-outcome.ts";
import { dueHooks } from "../apply/hook-phase.ts";
import { JobRuns } from "../apply/job-runs.ts";
import { PlanApplier } from "./plan-applier.ts";
import type { PlannedItem } from "./plan-applier.ts";
import { planPrune } from "./plan-prune.ts";
import type { PlannedPrune } from "./plan-prune.ts";
import { buildPruneContext } from "../prune/prune-decision.ts";
import type { InvalidManifestSet } from "../spec/manifest-set.ts";
import { resolveSet } from "../spec/resolve-set.ts";
import type { ResolvedSet } from "../spec/resolve-set.ts";
import { accountOf, setClient } from "../spec/set-client.ts";
import { orForbidden } from "../prune/disown.ts";
import { SetSnapshot } from "./snapshot.ts";
import { labelledRefs } from "../prune/prune-leftovers.ts";

/** What a run would do for an Operand now. */
export type OperandPlan =
  | {
      readonly kind: "plan";
      /** Objects of the set, in the order of the spec. */
      readonly items: readonly PlannedItem[];
      /** Objects that are no longer desired. */
      readonly prunes: readonly PlannedPrune[];
      /** True if the plan takes effect only after the Operand is resumed. */
      readonly isSuspended: boolean;
      /** Kinds that the caller may not list, and why: leftovers of these kinds may be missing. */
      readonly unlisted: readonly string[];
    }
  /** The set is invalid, so that a run would do nothing. */
  | ({ readonly kind: "invalid" } & Pick<InvalidManifestSet, "problems" | "lacksNamespace">);

/** Dependencies of {@link planOperand}. */
export interface PlanWorld extends ClientContext {
  readonly discovery: Discovery;
  readonly clock: Pick<Clock, "now">;
}

/** Uid of an inventory that does not exist yet. */
const NO_UID = "00000000-0000-0000-0000-000000000000";

/**
 * Plans a run of an Operand, assuming that every object becomes ready. Uses the code of the real run with dry-run
 * requests, and writes nothing. The Operand is an existing one, or the result of a dry run that creates or updates it.
 */
export async function planOperand(operand: ObjectOf<Operand>, world: PlanWorld): Promise<OperandPlan> {
  const { discovery, signal } = world;
  const isSuspended = operand.spec.suspend;
  await checkImpersonation(operand, world);
  const inventories = (await world.client.list(ClusterActiveOperand, { signal })).items;
  if (isDeleting(operand)) {
    const prunes = await prunesOf(operand, { inventories, baseline: "", unlisted: [], isReached: true }, world);
    return { kind: "plan", items: [], prunes, isSuspended: false, unlisted: [] };
  }
  const set = await resolveSet(operand.spec, discovery, signal, operand.metadata.name);
  if (set.kind === "bad") return { ...set, kind: "invalid" };
  const inventory = inventoryOf(operand, set.manifest.refs, inventories);
  const kinds = await watchedKinds(operand, set, world);
  const snapshot = await SetSnapshot.of(operand.metadata.uid, kinds, world);
  const { items, isReached } = await itemsOf(operand, set, { inventory, snapshot }, world);
  const unlistedRefs = [...(operand.status?.pending ?? []), ...labelledRefs(operand.metadata.uid, snapshot, kinds)];
  const baseline = inventory.metadata.name;
  const prunes = await prunesOf(operand, { inventories, baseline, unlisted: unlistedRefs, isReached }, world);
  const unlisted = snapshot.failures.map(({ message }) => message);
  return { kind: "plan", items, prunes, isSuspended, unlisted };
}

/** Throws an InputError if the caller may not use the service account of the Operand. */
async function checkImpersonation(operand: ObjectOf<Operand>, { client, signal }: PlanWorld): Promise<void> {
  const account = accountOf(operand);
  if (account === undefined) return;
  const response = await orForbidden(setClient(client, operand).getRaw("/version", { signal }));
  if (!(response instanceof StatusError)) return;
  const { serviceAccountName: name = "", serviceAccountNamespace: namespace = "" } = operand.spec;
  throw new InputError(`cannot plan with the rights of service account ${account}: ${response.message}`, {
    hint: `kubectl auth can-i impersonate serviceaccounts/${name} -n ${namespace}`,
  });
}

/** Returns the inventory of the set: the existing one, or one as it will be created. */
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

/** Assumes that every object becomes ready. */
const ASSUME_READY = { evaluate: () => ({ kind: "ready", message: "" }) as const };
const NO_TIME = { waitedMs: () => 0 };

interface PlannedItems {
  readonly items: readonly PlannedItem[];
  /** True if every object can be applied. */
  readonly isReached: boolean;
}

/** Plans both install phases in the order of the real run. */
async function itemsOf(
  operand: ObjectOf<Operand>,
  { manifest, kinds }: ResolvedSet,
  { inventory, snapshot }: { readonly inventory: KubeObject; readonly snapshot: SetSnapshot },
  { client, signal }: PlanWorld,
): Promise<PlannedItems> {
  const operandUid = operand.metadata.uid;
  const jobs = new JobRuns(operand);
  jobs.active = dueHooks(operand, manifest.jobs);
  const cache = new ItemCache();
  const asking = { client, watched: snapshot, kinds, operand, inventory, signal, cache, dryRun: true, jobs };
  const applier = new PlanApplier({ applier: new ItemApplier(asking), snapshot, kinds, operandUid, inventory });
  const apply = async (items: readonly ManifestItem[]): Promise<readonly ItemResult[]> =>
    (await applySet(items, { applier, health: ASSUME_READY, deadlines: NO_TIME })).items;
  const isAgain = operand.status?.installedSteadyStateGeneration === operand.metadata.generation;
  const first = isAgain ? [] : await apply(manifest.steadyState);
  const isFirstDone = first.every(isApplied);
  const outcomes = new Map(
    (isFirstDone ? await apply(manifest.merged) : first).map((evaluated) => [liveRefId(evaluated.item.ref), evaluated]),
  );
  const items = manifest.merged.map(
    (item) => applier.get(item.ref) ?? heldItem(item, outcomes.get(liveRefId(item.ref))),
  );
  return { items, isReached: isFirstDone && [...outcomes.values()].every(isApplied) };
}

function isApplied({ outcome }: ItemResult): boolean {
  return outcome.kind === "applied";
}

/** An object that is not reached. */
function heldItem({ ref, at }: ManifestItem, evaluated: ItemResult | undefined): PlannedItem {
  const outcome = evaluated?.outcome;
  const { reason, message } =
    outcome === undefined || outcome.kind === "applied"
      ? ({ reason: "SteadyStateFirst", message: "steadyState must be installed first" } as const)
      : outcome;
  const action = outcome?.kind === "failed" ? "refuse" : "hold";
  return { ref, at, action, reason, message, isAdopted: false, isGuess: false };
}

async function prunesOf(
  operand: ObjectOf<Operand>,
  about: {
    readonly inventories: readonly Inventory[];
    readonly baseline: string;
    readonly unlisted: readonly LiveRef[];
    readonly isReached: boolean;
  },
  world: PlanWorld,
): Promise<readonly PlannedPrune[]> {
  const { inventories, baseline } = about;
  const { uid } = operand.metadata;
  const removing = inventories.filter((one) => controllingOwnerUid(one) === uid && one.metadata.name !== baseline);
  const departure = {
    operand,
    operandUid: uid,
    removing: new Set(removing.map(({ metadata }) => metadata.uid)),
    isOrphaning: isDeleting(operand) && operand.spec.deletionPolicy === "Orphan",
    propagation: "Background" as const,
    now: world.clock.now(),
  };
  const ctx = buildPruneContext(inventories, departure);
  const client = setClient(world.client, operand);
  return planPrune({ ...world, ...about, client, operand, removing, ctx: ctx });
}
