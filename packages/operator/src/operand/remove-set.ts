import { controllerOf } from "@levelset/core";
import { describeRef, fail, ok, refOf, wait } from "../step/index.ts";
import type { Result } from "../step/index.ts";
import type { Claims } from "./claims.ts";
import { again, blockedBy, deleteInventory } from "./inventory.ts";
import type { Inventory, OperandReq } from "./inventory.ts";
import { ClusterActiveOperand } from "./kinds.ts";
import { describeLiveRef } from "./live-ref.ts";
import { LiveSurroundings } from "./live-surroundings.ts";
import { ORPHAN_FINALIZER, RELEASE_ANNOTATION } from "./marks.ts";
import { pruneObjects } from "./prune-objects.ts";

/**
 * The end of an Operand: its inventories go first, and with them what they own, unless it is deleted without its dependents. It
 * is gone only when no inventory is left.
 */
export async function removeSet(req: OperandReq, claims: Claims): Promise<Result<undefined>> {
  req.status.phase = "Deleting";
  const left = req.owned(ClusterActiveOperand);
  // First, for afterwards nothing may say any more that the dependents are to stay.
  const refused = await removePending(req, left, claims);
  if (refused !== undefined) return refused;
  if (left.length === 0) return ok();
  for (const inventory of left) {
    if (isOrphaning(req, inventory)) await markReleased(req, inventory);
    await deleteInventory(req, inventory);
  }
  const names = left.map((inventory) => describeRef(refOf(inventory))).join(", ");
  const [blocked] = left.flatMap((inventory) => blockedBy(inventory) ?? []);
  const on = left.map(refOf);
  if (blocked === undefined) return wait(`${names} being removed`, { on });
  return wait(`${names} being removed: ${blocked}`, { severity: "Warning", reason: "PruneBlocked", on });
}

/** Lets go of what no inventory lists any more and is still there, because it was to go later. */
async function removePending(
  req: OperandReq,
  left: readonly Inventory[],
  claims: Claims,
): Promise<Result<undefined> | undefined> {
  const pending = req.object.status?.pending ?? [];
  if (pending.length === 0) return undefined;
  const { client, discovery, object, signal } = req;
  const view = await LiveSurroundings.read(req, {
    operand: object.metadata.name,
    operandUid: object.metadata.uid,
    isOrphaning: isOrphaning(req) || left.some((inventory) => isOrphaning(req, inventory)),
  });
  const results = await pruneObjects({ client, discovery, signal, claims }, pending, view);
  if ([...results.values()].includes("outdated")) return again("what is asked for has changed meanwhile");
  const [refused] = [...results].flatMap(([ref, result]) =>
    typeof result === "object" ? `${describeLiveRef(ref)} cannot be deleted: ${result.message}` : [],
  );
  return refused === undefined ? undefined : fail(refused, { reason: "PruneBlocked" });
}

function isOrphaning({ object, spec }: OperandReq, inventory?: Inventory): boolean {
  if (spec.deletionPolicy === "Orphan") return true;
  if (inventory !== undefined && controllerOf(inventory) === undefined) return true;
  return object.metadata.finalizers?.includes(ORPHAN_FINALIZER) === true;
}

/** Says so on the inventory before it is deleted: whoever removes it then must know. */
async function markReleased(req: OperandReq, { metadata }: Inventory): Promise<void> {
  if (metadata.annotations?.[RELEASE_ANNOTATION] !== undefined) return;
  const patch = { metadata: { uid: metadata.uid, annotations: { [RELEASE_ANNOTATION]: "orphan" } } };
  await req.client.mergePatch(ClusterActiveOperand, { name: metadata.name }, patch, { signal: req.signal });
}
