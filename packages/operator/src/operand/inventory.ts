import {
  controllerOf,
  controllerReference,
  finalizerName,
  isAlreadyExists,
  isConflict,
  isDeleting,
  isNotFound,
  managerUid,
  ownerMark,
} from "@levelset/core";
import type { KubeObject, ObjectOf } from "@levelset/core";
import { liveObject } from "../apply/index.ts";
import { metadataOnly } from "../client/index.ts";
import { refOf, requeueAfter, wait } from "../step/index.ts";
import type { Req, Result } from "../step/index.ts";
import type { Claims } from "./claims.ts";
import { formatOrder, formatPlace, installOrder } from "./install-order.ts";
import type { InstallLists } from "./install-order.ts";
import { orderOfInventory } from "./inventory-order.ts";
import { ClusterActiveOperand } from "./kinds.ts";
import type { Operand } from "./kinds.ts";
import { activeOperandName, refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { removalHold } from "./removal-hold.ts";
import type { RemovalHold } from "./removal-hold.ts";
import { INSTALL_ORDER } from "./marks.ts";
import { isNeverOwned } from "./stage.ts";

const InventoryMeta = metadataOnly(ClusterActiveOperand);

/** A request about an Operand. */
export type OperandReq = Req<Operand, never>;
/** One version of an inventory. */
export type Inventory = ObjectOf<ClusterActiveOperand>;

/** Where an Operand is with its inventory. */
export type InventoryState =
  /** It is there and ours. */
  | { readonly kind: "there"; readonly inventory: Inventory }
  /** Not yet; the run ends with this. */
  | { readonly kind: "not yet"; readonly result: Result<never> };

/** Ends the run with its status write; what that allows comes in the next run, which begins at once. */
export function again(reason: string): Result<never> {
  return requeueAfter(reason, 0, { reason: "Waiting" });
}

/** The name of the inventory of these references: another one after each collision with somebody else's. */
export function inventoryName(operand: KubeObject, refs: readonly LiveRef[], collisions: number): string {
  return activeOperandName(refs, collisions === 0 ? "" : `${operand.metadata.uid} ${collisions}`);
}

/** The inventory of that name, if it is this Operand's. */
export function ownInventory(req: OperandReq, name: string): Inventory | undefined {
  const found = req.get(ClusterActiveOperand, { name });
  return found !== undefined && controllerOf(found)?.uid === req.object.metadata.uid ? found : undefined;
}

/** How often an inventory may change between a look at it and its deletion. */
const TRIES = 5;

/** Deletes an inventory, in a version that is this Operand's; what is no longer wanted of its objects goes with it. */
export async function deleteInventory(req: OperandReq, inventory: Inventory): Promise<void> {
  const { name, uid } = inventory.metadata;
  let seen: KubeObject | undefined = inventory;
  for (let attempt = 1; seen !== undefined && !isDeleting(seen); attempt++) {
    if (seen.metadata.uid !== uid || managerUid(seen) !== req.object.metadata.uid) return;
    const { resourceVersion } = seen.metadata;
    try {
      const options = { uid, resourceVersion, propagation: "Background", signal: req.signal } as const;
      await req.client.delete(ClusterActiveOperand, { name }, options);
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error) || attempt === TRIES) throw error;
    }
    seen = await liveObject(req, InventoryMeta, { name });
  }
}

/** What keeps an inventory from going; undefined when nothing does. */
export function heldBy(inventory: Inventory): RemovalHold | undefined {
  return removalHold(inventory.status?.conditions, "Pruned");
}

/**
 * Remembers in the status what an inventory lists and no other one does, before it is removed: what is pruned later must not be
 * forgotten. Says whether there was something to add, which is to be saved first.
 */
export function rememberDropped(
  { object, status }: OperandReq,
  inventory: Inventory,
  listed: readonly LiveRef[],
): boolean {
  const pending = object.status?.pending ?? [];
  const known = new Set([...listed, ...pending].map(refId));
  const dropped = inventory.spec.live.filter((ref) => !known.has(refId(ref)) && !isNeverOwned(ref));
  if (dropped.length === 0) return false;
  const order = orderOfInventory(inventory);
  const entryOf = (ref: LiveRef): NonNullable<typeof status.pending>[number] => {
    const place = order.get(refId(ref));
    return { ...ref, reason: "Pruning", ...(place === undefined ? {} : { place: formatPlace(place) }) };
  };
  status.pending = [...pending, ...dropped.map(entryOf)];
  return true;
}

/** The set that an inventory is for. */
export interface InventoryTarget {
  readonly manifest: InstallLists & { readonly refs: readonly LiveRef[] };
  /** The names of inventories that are being removed, also where the cache does not have that yet. */
  readonly going: ReadonlySet<string>;
}

/**
 * Makes the inventory of a set, recorded in the status before it exists: an Operand has two at most, and both are named there.
 * A pending one that is superseded is gone before another takes its place.
 */
export async function ensureInventory(
  req: OperandReq,
  { manifest, going }: InventoryTarget,
  claims: Claims,
): Promise<InventoryState> {
  const { status } = req;
  const { refs } = manifest;
  const order = formatOrder(refs, installOrder(manifest));
  const notYet = (result: Result<never>): InventoryState => ({ kind: "not yet", result });
  const name = inventoryName(req.object, refs, status.collisionCount ?? 0);
  const present = req.get(ClusterActiveOperand, { name });
  if (present !== undefined && (isDeleting(present) || going.has(name))) {
    return notYet(
      wait(`clusteractiveoperand/${name} is being removed first`, { reason: "Waiting", on: [refOf(present)] }),
    );
  }
  const { latestCreatedActiveOperand: created, latestReadyActiveOperand: ready } = status;
  if (created !== undefined && created !== name && created !== ready) {
    const superseded = ownInventory(req, created);
    if (superseded !== undefined) {
      // Also what is asked for again: until the next inventory is there, nothing else says that it is ours.
      const baseline = ready === undefined ? undefined : ownInventory(req, ready);
      if (rememberDropped(req, superseded, baseline?.spec.live ?? [])) {
        return notYet(again(`clusteractiveoperand/${created} is superseded`));
      }
      await deleteInventory(req, superseded);
      const what = `clusteractiveoperand/${created} is superseded and removed first`;
      const held = heldBy(superseded);
      const message = held === undefined ? what : `${what}: ${held.message}`;
      const severity = held?.isStuck === true ? { severity: "Error" as const } : {};
      return notYet(wait(message, { reason: held?.reason ?? "Waiting", on: [refOf(superseded)], ...severity }));
    }
  }
  if (present !== undefined && controllerOf(present)?.uid !== req.object.metadata.uid) {
    status.collisionCount = (status.collisionCount ?? 0) + 1;
    return notYet(again(`clusteractiveoperand/${name} belongs to somebody else`));
  }
  if (created !== name) {
    status.latestCreatedActiveOperand = name;
    return notYet(again(`recorded clusteractiveoperand/${name}`));
  }
  if (present !== undefined) return { kind: "there", inventory: await storeOrder(req, present, order) };
  const made = await claims.during("list", refs, () => create(req, name, refs, order));
  return made ?? notYet(requeueAfter("an object of the set is just being deleted for another Operand", CLAIMED_MS));
}

/** How long the deletions that an inventory waits for may take until it is tried again. */
const CLAIMED_MS = 100;

/**
 * Stores the order of a set that has other waves or dependencies than before, and the same objects, before anything of it is applied:
 * what is installed in an order is removed in its reverse.
 */
async function storeOrder(req: OperandReq, inventory: Inventory, order: string): Promise<Inventory> {
  const { name, uid, annotations } = inventory.metadata;
  if (annotations?.[INSTALL_ORDER] === order) return inventory;
  const patch = { metadata: { uid, annotations: { [INSTALL_ORDER]: order } } };
  return req.client.mergePatch(ClusterActiveOperand, { name }, patch, { signal: req.signal });
}

async function create(req: OperandReq, name: string, refs: readonly LiveRef[], order: string): Promise<InventoryState> {
  // Found by it when the Operand is deleted without its dependents, which takes the reference away.
  const mark = ownerMark(req.object);
  const metadata = {
    name,
    ownerReferences: [controllerReference(req.object)],
    ...mark,
    annotations: { ...mark.annotations, [INSTALL_ORDER]: order },
    // From the beginning: what it owns must never be left to the garbage collector.
    finalizers: [finalizerName(ClusterActiveOperand)],
  };
  try {
    const inventory = await req.client.create(
      ClusterActiveOperand,
      { metadata, spec: { live: refs } },
      { signal: req.signal },
    );
    return { kind: "there", inventory };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return { kind: "not yet", result: requeueAfter(`clusteractiveoperand/${name} is there already`, 1_000) };
  }
}
