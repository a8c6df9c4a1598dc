import { isDeleting, managerUid, StatusError } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import { liveObject } from "../apply/index.ts";
import { metadataOnly } from "../client/index.ts";
import { ownInventory } from "./inventory.ts";
import type { Inventory, OperandReq } from "./inventory.ts";
import { ClusterActiveOperand } from "./kinds.ts";
import { inLanes } from "./lanes.ts";
import { keyOfRef, refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { unmarkObject } from "./release.ts";
import { kindOfRef } from "./set-kinds.ts";

/** What is known where nothing has to be reclaimed. */
export const NOTHING_RECLAIMED: Reclaimed = { going: new Set(), refused: new Map() };

const InventoryMeta = metadataOnly(ClusterActiveOperand);

/** What is known of the prunes of an Operand before its set is installed. */
export interface Reclaimed {
  /** The names of inventories that are being removed, by the server and not by the cache. */
  readonly going: ReadonlySet<string>;
  /** Objects that the server did not let us take out of a prune, by `refId`: no install may count them. */
  readonly refused: ReadonlyMap<string, StatusError>;
}

/**
 * Takes objects that the spec wants out of a prune that is under way, before an install goes by cached copies of them. Only objects
 * that a prune of this Operand may be deleting are read: those that the status has as pending, and those of inventories that are being
 * removed.
 *
 * A prune marks an object, reads the spec, and deletes the version that has the mark. So if it did not read this spec, the mark is
 * there by now, or the object is gone.
 */
export async function reclaimObjects(req: OperandReq, wanted: readonly LiveRef[]): Promise<Reclaimed> {
  const going = await goingInventories(req);
  const pending = req.object.status?.pending ?? [];
  const pruned = new Set([...pending, ...going.flatMap(({ spec }) => spec.live)].map(refId));
  const refused = new Map<string, StatusError>();
  const refs = wanted.filter((ref) => pruned.has(refId(ref)));
  await inLanes(refs, async (ref) => {
    try {
      await reclaim(req, ref);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      refused.set(refId(ref), error);
    }
  });
  return { going: new Set(going.map(({ metadata }) => metadata.name)), refused };
}

/** The inventories of an Operand that are being removed: the status names each one that exists. */
async function goingInventories(req: OperandReq): Promise<readonly Inventory[]> {
  const { latestReadyActiveOperand: ready, latestCreatedActiveOperand: created } = req.object.status ?? {};
  const names = [...new Set([ready, created])].filter((name) => name !== undefined);
  const found = await inLanes(names, (name) => goingInventory(req, name));
  return found.filter((one) => one !== undefined);
}

async function goingInventory(req: OperandReq, name: string): Promise<Inventory | undefined> {
  const copy = ownInventory(req, name);
  if (copy === undefined) {
    const live = await liveObject(req, ClusterActiveOperand, { name });
    return isGoing(req, live) ? live : undefined;
  }
  if (isDeleting(copy)) return copy;
  // What an inventory lists is in its name, so the copy says it also of a later one of that name.
  return isGoing(req, await liveObject(req, InventoryMeta, { name })) ? copy : undefined;
}

function isGoing(req: OperandReq, inventory: KubeObject | undefined): boolean {
  return inventory !== undefined && managerUid(inventory) === req.object.metadata.uid && isDeleting(inventory);
}

async function reclaim(req: OperandReq, ref: LiveRef): Promise<void> {
  const kind = await kindOfRef(ref, req.discovery, req.signal);
  const object = kind === undefined ? undefined : await liveObject(req, kind, keyOfRef(ref));
  if (kind === undefined || object === undefined || isDeleting(object)) return;
  await unmarkObject(kind, object, req);
}
