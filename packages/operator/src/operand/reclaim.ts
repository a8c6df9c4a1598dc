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

const InventoryMeta = metadataOnly(ClusterActiveOperand);

/** What is known of the prunes of an Operand before its set is installed. */
export interface Reclaimed {
  /** The names of inventories that are being removed, by the server and not by the cache. */
  readonly going: ReadonlySet<string>;
  /**
   * The wanted objects that a prune may be deleting, by `refId`, as the server has them; undefined for one that is gone. The error of
   * one that the server did not let us read or take out of the prune: no install may count it.
   */
  readonly live: ReadonlyMap<string, KubeObject | StatusError | undefined>;
}

const NOTHING: Reclaimed = { going: new Set(), live: new Map() };

/**
 * Takes objects that a spec wants out of a prune that is under way, before an install goes by cached copies of them.
 *
 * A prune marks an object, reads the spec, and deletes the version that has the mark. So if it did not read this spec, the mark is
 * there by now, or the object is gone. A prune that marks later reads this spec.
 */
export class Reclaimer {
  /** The generation of each Operand, by uid, of which no prune was found that may be deleting a wanted object. */
  readonly #looked = new Map<string, number | undefined>();

  /**
   * Reads the objects that a prune of this Operand may be deleting from the server: those that the status has as pending, and those of
   * inventories that are being removed. Removes the marks from those that are wanted. Does nothing for a set that is installed.
   */
  async reclaim(req: OperandReq, wanted: readonly LiveRef[]): Promise<Reclaimed> {
    const { metadata, status } = req.object;
    const { uid, generation } = metadata;
    if (status?.installedSteadyStateGeneration === generation || this.#looked.get(uid) === generation) return NOTHING;
    const reclaimed = await reclaimObjects(req, wanted);
    if (reclaimed.live.size === 0) this.#looked.set(uid, generation);
    return reclaimed;
  }

  /** Forgets an Operand that is being deleted. */
  forget({ object }: OperandReq): void {
    this.#looked.delete(object.metadata.uid);
  }
}

async function reclaimObjects(req: OperandReq, wanted: readonly LiveRef[]): Promise<Reclaimed> {
  const going = await goingInventories(req);
  const pending = req.object.status?.pending ?? [];
  const pruned = new Set([...pending, ...going.flatMap(({ spec }) => spec.live)].map(refId));
  const refs = wanted.filter((ref) => pruned.has(refId(ref)));
  const live = await inLanes(refs, async (ref) => [refId(ref), await reclaimObject(req, ref)] as const);
  return { going: new Set(going.map(({ metadata }) => metadata.name)), live: new Map(live) };
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

async function reclaimObject(req: OperandReq, ref: LiveRef): Promise<KubeObject | StatusError | undefined> {
  try {
    const kind = await kindOfRef(ref, req.discovery, req.signal);
    const object = kind === undefined ? undefined : await liveObject(req, kind, keyOfRef(ref));
    if (kind === undefined || object === undefined || isDeleting(object)) return object;
    return await unmarkObject(kind, object, req);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error;
  }
}
