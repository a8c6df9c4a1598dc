import { isDeleting, StatusError } from "@levelset/core";
import { controllingOwnerUid, mapConcurrent } from "@levelset/core/internal";
import type { KubeObject } from "@levelset/core";
import { liveObject } from "../../apply/index.ts";
import { metadataOnly } from "../../client/index.ts";
import { ownInventory } from "../inventory/inventory.ts";
import type { Inventory, OperandReq } from "../inventory/inventory.ts";
import { ClusterActiveOperand } from "../spec/operand-kinds.ts";
import { keyOfRef, liveRefId } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import { unmarkObject } from "../prune/disown.ts";
import { resolveRefKind } from "../spec/kind-resolver.ts";
import { setClient } from "../spec/set-client.ts";

const InventoryMeta = metadataOnly(ClusterActiveOperand);

/** State of the prunes of an Operand before its set is installed. */
export interface Reclaimed {
  /** Names of inventories that are being removed, as read from the server. */
  readonly removing: ReadonlySet<string>;
  /**
   * Desired objects that a prune may be deleting, by `refId`, as read from the server; undefined if gone. A StatusError
   * if the object could not be read or unmarked: an install must not count it.
   */
  readonly live: ReadonlyMap<string, KubeObject | StatusError | undefined>;
}

const NOTHING: Reclaimed = { removing: new Set(), live: new Map() };

/**
 * Takes desired objects out of a running prune before an install uses their cached copies.
 *
 * A prune marks an object, reads the spec, and deletes the marked version. If it read an older spec, the mark is set by
 * now, or the object is gone. A prune that marks later reads this spec.
 */
export class Reclaimer {
  /** Generation of each Operand, by uid, for which no prune of a desired object was found. */
  readonly #checked = new Map<string, number | undefined>();

  /**
   * Reads the objects that a prune of this Operand may be deleting from the server: pending ones of the status, and
   * those of inventories that are being removed. Removes the marks from desired ones. Does nothing for an installed
   * set.
   */
  async reclaim(req: OperandReq, desired: readonly LiveRef[]): Promise<Reclaimed> {
    const { metadata, status } = req.object;
    const { uid, generation } = metadata;
    if (status?.installedSteadyStateGeneration === generation || this.#checked.get(uid) === generation) return NOTHING;
    const reclaimed = await reclaimObjects(req, desired);
    if (reclaimed.live.size === 0) this.#checked.set(uid, generation);
    return reclaimed;
  }

  /** Forgets an Operand that is being deleted. */
  forget({ object }: OperandReq): void {
    this.#checked.delete(object.metadata.uid);
  }
}

async function reclaimObjects(req: OperandReq, desired: readonly LiveRef[]): Promise<Reclaimed> {
  const removing = await removingInventories(req);
  const pending = req.object.status?.pending ?? [];
  const pruned = new Set([...pending, ...removing.flatMap(({ spec }) => spec.live)].map(liveRefId));
  const refs = desired.filter((ref) => pruned.has(liveRefId(ref)));
  const live = await mapConcurrent(refs, async (ref) => [liveRefId(ref), await reclaimObject(req, ref)] as const);
  return { removing: new Set(removing.map(({ metadata }) => metadata.name)), live: new Map(live) };
}

/** Returns the inventories of an Operand that are being removed. The status names each existing one. */
async function removingInventories(req: OperandReq): Promise<readonly Inventory[]> {
  const { latestReadyActiveOperand: ready, latestCreatedActiveOperand: created } = req.object.status ?? {};
  const names = [...new Set([ready, created])].filter((name) => name !== undefined);
  const found = await mapConcurrent(names, (name) => goingInventory(req, name));
  return found.filter((one) => one !== undefined);
}

async function goingInventory(req: OperandReq, name: string): Promise<Inventory | undefined> {
  const copy = ownInventory(req, name);
  if (copy === undefined) {
    const live = await liveObject(req, ClusterActiveOperand, { name });
    return isRemoving(req, live) ? live : undefined;
  }
  if (isDeleting(copy)) return copy;
  // The name of an inventory is a hash of its list, so the cached copy is valid for a later one of that name.
  return isRemoving(req, await liveObject(req, InventoryMeta, { name })) ? copy : undefined;
}

function isRemoving(req: OperandReq, inventory: KubeObject | undefined): boolean {
  return inventory !== undefined && controllingOwnerUid(inventory) === req.object.metadata.uid && isDeleting(inventory);
}

async function reclaimObject(req: OperandReq, ref: LiveRef): Promise<KubeObject | StatusError | undefined> {
  const context = { client: setClient(req.client, req.object), signal: req.signal };
  try {
    const kind = await resolveRefKind(ref, req.discovery, req.signal);
    const object = kind === undefined ? undefined : await liveObject(context, kind, keyOfRef(ref));
    if (kind === undefined || object === undefined || isDeleting(object)) return object;
    return await unmarkObject(kind, object, context);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error;
  }
}
