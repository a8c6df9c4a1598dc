import { findCondition, isDeleting, isReady } from "@levelset/core";
import type { ConditionUpdate } from "@levelset/core";
import { formatTimestamp } from "@levelset/core/internal";
import { ok, refOf, step, wait } from "../../engine/index.ts";
import type { Req, Result, OutputStep, Step } from "../../engine/index.ts";
import type { RefLocks } from "../inventory/ref-locks.ts";
import { desiredRefs } from "../spec/desired-refs.ts";
import type { InstalledSet } from "../apply/install-step.ts";
import { isInstalled } from "../spec/is-installed.ts";
import {
  requeueNow,
  deleteInventory,
  heldBy,
  inventoryName,
  ownInventory,
  recordPending,
} from "../inventory/inventory.ts";
import type { OperandReq } from "../inventory/inventory.ts";
import { Operand } from "../spec/operand-kinds.ts";
import { labelledRefs, pruneLeftovers } from "../prune/prune-leftovers.ts";

const BIT = "LatestActiveOperandReady";
const HISTORY_MAX = 10;

/**
 * Makes an installed set the baseline: once every object is owned, removes the previous version with the objects that
 * only it has, then records the new baseline in the status.
 */
export function promoteStep(install: OutputStep<InstalledSet>, claims: RefLocks): Step<Operand, undefined> {
  return step(Operand, "Promote", {
    condition: BIT,
    uses: [install],
    do: async (req) => {
      const installed = req.from(install);
      if (!isInstalled(req.object)) return requeueNow("the set is installed");
      const { inventory } = installed;
      if (!isReady(inventory)) {
        const reported = findCondition(inventory.status?.conditions, "Ready")?.message ?? "not reconciled yet";
        return wait(`clusteractiveoperand/${inventory.metadata.name}: ${reported}`, { on: [refOf(inventory)] });
      }
      return replaceBaseline(req, installed, claims);
    },
    post: (req) => {
      req.condition(baselineCondition(req));
      return ok();
    },
  });
}

async function replaceBaseline(
  req: Req<Operand>,
  { manifest, inventory, watched, kinds }: InstalledSet,
  claims: RefLocks,
): Promise<Result<undefined>> {
  const { status } = req;
  const { name } = inventory.metadata;
  const { latestReadyActiveOperand: before } = status;
  if (before !== undefined && before !== name) {
    const previous = ownInventory(req, before);
    if (previous !== undefined) {
      status.phase = "Pruning";
      if (recordPending(req, previous, manifest.refs)) return requeueNow(`removing clusteractiveoperand/${before}`);
      await deleteInventory(req, previous);
      return wait(`clusteractiveoperand/${before} is being removed`, { on: [refOf(previous)] });
    }
  }
  if (before !== name || status.history?.at(-1)?.generation !== req.object.metadata.generation) {
    const { generation = 0 } = req.object.metadata;
    const entry = { generation, activeOperand: name, time: formatTimestamp(req.clock.now()) };
    status.history = [...(status.history ?? []), entry].slice(-HISTORY_MAX);
  }
  status.latestReadyActiveOperand = name;
  await pruneLeftovers(req, manifest.refs, labelledRefs(req.object.metadata.uid, watched, kinds), claims);
  // The whole set is applied and ready; remaining failures are fields that other clients write too.
  status.phase = (status.failing ?? []).length === 0 ? "Ready" : "Failed";
  return ok();
}

/** True exactly while the desired set is both the pending version and the baseline. */
function baselineCondition(req: OperandReq): ConditionUpdate {
  const { latestReadyActiveOperand: ready, latestCreatedActiveOperand: created } = req.status;
  const name = inventoryName(req.object, desiredRefs(req), req.status.collisionCount ?? 0);
  if (ready === created && created === name) {
    return { type: BIT, status: "True", reason: "Ready", message: `${name} is the baseline` };
  }
  const unknown = (reason: string, message: string): ConditionUpdate => ({
    type: BIT,
    status: "Unknown",
    reason,
    message,
  });
  if (ready === undefined) return unknown("Pending", `${name} is pending`);
  const previous = ownInventory(req, ready);
  if (previous === undefined || !isDeleting(previous)) {
    return unknown("Pending", `${name} is pending, ${ready} is the baseline`);
  }
  const held = heldBy(previous);
  if (held === undefined) return unknown("Pruning", `${name} is pending until ${ready} is removed`);
  const update = unknown(held.reason, `${name} is pending until ${ready} is removed: ${held.message}`);
  return held.isStuck ? { ...update, severity: "Error" } : update;
}
