import {
  apiVersionOf,
  controllerOf,
  controllerReference,
  isAlreadyExists,
  isConflict,
  isDeleting,
  isNotFound,
} from "@levelset/core";
import { finalizerName, controllingOwnerUid, ownerAnnotations } from "@levelset/core/internal";
import type { KubeObject, ObjectOf, OwnerReference } from "@levelset/core";
import { liveObject } from "../../apply/index.ts";
import { metadataOnly } from "../../client/index.ts";
import { refOf, requeueAfter, wait } from "../../engine/index.ts";
import type { Req, Result } from "../../engine/index.ts";
import type { RefLocks } from "./ref-locks.ts";
import { formatOrder, formatPlace, installOrder } from "../spec/install-order.ts";
import type { InstallLists } from "../spec/install-order.ts";
import { orderOfInventory } from "./inventory-order.ts";
import { ClusterActiveOperand } from "../spec/operand-kinds.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { activeOperandName, liveRefId } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import { removalHold } from "./removal-hold.ts";
import type { RemovalHold } from "./removal-hold.ts";
import { INSTALL_ORDER, SERVICE_ACCOUNT } from "../spec/labels-and-annotations.ts";
import { accountOf } from "../spec/set-client.ts";
import { isNeverOwned } from "../spec/stage.ts";

const InventoryMeta = metadataOnly(ClusterActiveOperand);

/** A request for an Operand. */
export type OperandReq = Req<Operand, never>;
/** A request for an inventory. */
export type InventoryReq = Req<ClusterActiveOperand, never>;
/** One version of an inventory. */
export type Inventory = ObjectOf<ClusterActiveOperand>;

/** State of an Operand's inventory. */
export type InventoryState =
  /** The inventory exists and belongs to the Operand. */
  | { readonly kind: "present"; readonly inventory: Inventory }
  /** The inventory does not exist yet; the run ends with this result. */
  | { readonly kind: "pending"; readonly result: Result<never> };

/** Ends the run with its status write. The next run starts at once. */
export function requeueNow(reason: string): Result<never> {
  return requeueAfter(reason, 0, { reason: "Waiting" });
}

/**
 * Returns the name of the inventory of these references. Each collision with the inventory of another owner yields
 * another name.
 */
export function inventoryName(operand: KubeObject, refs: readonly LiveRef[], collisions: number): string {
  return activeOperandName(refs, collisions === 0 ? "" : `${operand.metadata.uid} ${collisions}`);
}

/** Owner reference to an inventory. It is not a controller reference. */
export function inventoryReference(inventory: KubeObject): OwnerReference {
  const { name, uid } = inventory.metadata;
  return { apiVersion: apiVersionOf(ClusterActiveOperand), kind: ClusterActiveOperand.kind, name, uid };
}

/** Returns the inventory of that name if it belongs to this Operand. */
export function ownInventory(req: OperandReq, name: string): Inventory | undefined {
  const found = req.get(ClusterActiveOperand, { name });
  return found !== undefined && controllerOf(found)?.uid === req.object.metadata.uid ? found : undefined;
}

/** Maximum number of attempts to delete an inventory that changes between read and deletion. */
const TRIES = 5;

/** Deletes an inventory of this Operand. Its operator then prunes the objects that are no longer desired. */
export async function deleteInventory(req: OperandReq, inventory: Inventory): Promise<void> {
  const { name, uid } = inventory.metadata;
  let seen: KubeObject | undefined = inventory;
  for (let attempt = 1; seen !== undefined && !isDeleting(seen); attempt++) {
    if (seen.metadata.uid !== uid || controllingOwnerUid(seen) !== req.object.metadata.uid) return;
    const { resourceVersion } = seen.metadata;
    try {
      const options = { uid, resourceVersion, propagationPolicy: "Background", signal: req.signal } as const;
      await req.client.delete(ClusterActiveOperand, { name }, options);
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error) || attempt === TRIES) throw error;
    }
    seen = await liveObject(req, InventoryMeta, { name });
  }
}

/** Returns what blocks the removal of an inventory; undefined if it is not blocked. */
export function heldBy(inventory: Inventory): RemovalHold | undefined {
  return removalHold(inventory.status?.conditions, "Pruned");
}

/**
 * Returns the objects of an inventory that would be lost with it: `listed`, the objects of the Operand's other
 * inventories, and `pending`, those of its status, do not have them.
 */
export function unrecordedRefs(
  { spec }: Inventory,
  listed: readonly LiveRef[],
  pending: readonly LiveRef[],
): readonly LiveRef[] {
  const known = new Set([...listed, ...pending].map(liveRefId));
  return spec.live.filter((ref) => !known.has(liveRefId(ref)) && !isNeverOwned(ref));
}

/**
 * Records in the status the objects that only this inventory lists before it is removed, so that objects pruned later
 * are not lost. Returns true if it added some; the status must be saved first.
 */
export function recordPending(
  { object, status }: OperandReq,
  inventory: Inventory,
  listed: readonly LiveRef[],
): boolean {
  const pending = object.status?.pending ?? [];
  const dropped = unrecordedRefs(inventory, listed, pending);
  if (dropped.length === 0) return false;
  const order = orderOfInventory(inventory);
  const entryOf = (ref: LiveRef): NonNullable<typeof status.pending>[number] => {
    const place = order.get(liveRefId(ref));
    return { ...ref, reason: "Pruning", ...(place === undefined ? {} : { place: formatPlace(place) }) };
  };
  status.pending = [...pending, ...dropped.map(entryOf)];
  return true;
}

/**
 * Records the objects of an inventory that another client has deleted. It stays until then: if the Operand were deleted
 * or changed before its inventory is created again, no other record would state that these objects are ours. Returns
 * true if it added some; the status must be saved first.
 */
export function recordDeleted(req: OperandReq): boolean {
  const own = req.owned(ClusterActiveOperand).filter((one) => controllerOf(one)?.uid === req.object.metadata.uid);
  const listed = own.filter((one) => !isDeleting(one)).flatMap(({ spec }) => spec.live);
  return own.filter((one) => isDeleting(one)).some((one) => recordPending(req, one, listed));
}

/** The set of an inventory. */
export interface InventoryTarget {
  readonly manifest: InstallLists & { readonly refs: readonly LiveRef[] };
  /** Names of inventories that are being removed, including removals that the cache does not show yet. */
  readonly removing: ReadonlySet<string>;
}

/**
 * Creates the inventory of a set after recording its name in the status. An Operand has at most two inventories, both
 * named in its status. A superseded pending inventory must be gone before another takes its place.
 */
export async function ensureInventory(
  req: OperandReq,
  { manifest, removing }: InventoryTarget,
  claims: RefLocks,
): Promise<InventoryState> {
  const { status } = req;
  const { refs } = manifest;
  const facts: InventoryFacts = {
    [INSTALL_ORDER]: formatOrder(refs, installOrder(manifest)),
    [SERVICE_ACCOUNT]: accountOf(req.object),
  };
  const notYet = (result: Result<never>): InventoryState => ({ kind: "pending", result });
  const name = inventoryName(req.object, refs, status.collisionCount ?? 0);
  const present = req.get(ClusterActiveOperand, { name });
  if (present !== undefined && (isDeleting(present) || removing.has(name))) {
    return notYet(
      wait(`clusteractiveoperand/${name} is being removed first`, { reason: "Waiting", on: [refOf(present)] }),
    );
  }
  const { latestCreatedActiveOperand: created, latestReadyActiveOperand: ready } = status;
  if (created !== undefined && created !== name && created !== ready) {
    const superseded = ownInventory(req, created);
    if (superseded !== undefined) {
      // Includes objects that are desired again: until the next inventory exists, no other record states that they are
      // ours.
      const baseline = ready === undefined ? undefined : ownInventory(req, ready);
      if (recordPending(req, superseded, baseline?.spec.live ?? [])) {
        return notYet(requeueNow(`clusteractiveoperand/${created} is superseded`));
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
    return notYet(requeueNow(`clusteractiveoperand/${name} belongs to another owner; retrying with another name`));
  }
  if (created !== name) {
    status.latestCreatedActiveOperand = name;
    return notYet(requeueNow(`recorded clusteractiveoperand/${name}`));
  }
  if (present !== undefined) return { kind: "present", inventory: await storeFacts(req, present, facts) };
  const made = await claims.withLock("list", refs, () => create(req, name, refs, facts));
  return made ?? notYet(requeueAfter("another Operand is deleting an object of the set", CLAIMED_MS));
}

/** Requeue delay while another Operand deletes objects of the set. */
const CLAIMED_MS = 100;

function definedOnly(facts: InventoryFacts): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([fact, value]) => (value === undefined ? [] : [[fact, value]])),
  );
}

/** Annotations of an inventory that its removal uses. */
type InventoryFacts = Readonly<Record<string, string | undefined>>;

/**
 * Stores the install order and the service account of a set that changed while its objects are the same. Must run before
 * the set is applied, because removal uses the reverse order.
 */
async function storeFacts(req: OperandReq, inventory: Inventory, facts: InventoryFacts): Promise<Inventory> {
  const { name, uid, annotations } = inventory.metadata;
  const changed = Object.entries(facts).filter(([fact, value]) => annotations?.[fact] !== value);
  if (changed.length === 0) return inventory;
  const patch = {
    metadata: { uid, annotations: Object.fromEntries(changed.map(([fact, value]) => [fact, value ?? null])) },
  };
  return req.client.mergePatch(ClusterActiveOperand, { name }, patch, { signal: req.signal });
}

async function create(
  req: OperandReq,
  name: string,
  refs: readonly LiveRef[],
  facts: InventoryFacts,
): Promise<InventoryState> {
  // Finds the inventory when the Operand is deleted with orphan propagation, which removes the owner reference.
  const mark = ownerAnnotations(req.object);
  const metadata = {
    name,
    ownerReferences: [controllerReference(req.object)],
    ...mark,
    annotations: { ...mark.annotations, ...definedOnly(facts) },
    // Set on creation: the garbage collector must never delete the inventory's objects (docs: Garbage Collection).
    finalizers: [finalizerName(ClusterActiveOperand)],
  };
  try {
    const inventory = await req.client.create(
      ClusterActiveOperand,
      { metadata, spec: { live: refs } },
      { signal: req.signal },
    );
    return { kind: "present", inventory };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return { kind: "pending", result: requeueAfter(`clusteractiveoperand/${name} already exists`, 1_000) };
  }
}
