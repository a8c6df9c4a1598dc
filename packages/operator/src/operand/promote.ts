import { findCondition, isDeleting, isReady, timestamp } from "@levelset/core";
import type { Finding } from "@levelset/core";
import { ok, refOf, step, wait } from "../step/index.ts";
import type { Req, Result, Source, Step } from "../step/index.ts";
import type { Claims } from "./claims.ts";
import { desiredRefs } from "./desired-refs.ts";
import type { Installed } from "./install.ts";
import { isInstalled } from "./installed.ts";
import { again, deleteInventory, heldBy, inventoryName, ownInventory, rememberDropped } from "./inventory.ts";
import type { OperandReq } from "./inventory.ts";
import { Operand } from "./kinds.ts";
import { labelled, sweep } from "./sweep.ts";

const BIT = "LatestActiveOperandReady";
const HISTORY_MAX = 10;

/**
 * Makes an installed set the baseline: when every object of it is owned, the version before is removed with all that only it had,
 * and when that is gone the new one takes its place in the status.
 */
export function promote(install: Source<Installed>, claims: Claims): Step<Operand, undefined> {
  return step(Operand, "Promote", {
    condition: BIT,
    uses: [install],
    do: async (req) => {
      const installed = req.from(install);
      if (!isInstalled(req.object)) return again("the set is installed");
      const { inventory } = installed;
      if (!isReady(inventory)) {
        const told = findCondition(inventory.status?.conditions, "Ready")?.message ?? "not looked at yet";
        return wait(`clusteractiveoperand/${inventory.metadata.name}: ${told}`, { on: [refOf(inventory)] });
      }
      return replaceBaseline(req, installed, claims);
    },
    post: (req) => {
      req.condition(bitOf(req));
      return ok();
    },
  });
}

async function replaceBaseline(
  req: Req<Operand>,
  { manifest, inventory, followed, kinds }: Installed,
  claims: Claims,
): Promise<Result<undefined>> {
  const { status } = req;
  const { name } = inventory.metadata;
  const { latestReadyActiveOperand: before } = status;
  if (before !== undefined && before !== name) {
    const previous = ownInventory(req, before);
    if (previous !== undefined) {
      status.phase = "Pruning";
      if (rememberDropped(req, previous, manifest.refs))
        return again(`clusteractiveoperand/${before} is to be removed`);
      await deleteInventory(req, previous);
      return wait(`clusteractiveoperand/${before} is being removed`, { on: [refOf(previous)] });
    }
  }
  if (before !== name || status.history?.at(-1)?.generation !== req.object.metadata.generation) {
    const { generation = 0 } = req.object.metadata;
    const entry = { generation, activeOperand: name, time: timestamp(req.clock.now()) };
    status.history = [...(status.history ?? []), entry].slice(-HISTORY_MAX);
  }
  status.latestReadyActiveOperand = name;
  await sweep(req, manifest.refs, labelled(req.object.metadata.uid, followed, kinds), claims);
  // All of the set is applied and ready; what is still wrong is what other clients write too.
  status.phase = (status.failing ?? []).length === 0 ? "Ready" : "Failed";
  return ok();
}

/** True exactly while the set that is asked for is both the pending one and the baseline. */
function bitOf(req: OperandReq): Finding {
  const { latestReadyActiveOperand: ready, latestCreatedActiveOperand: created } = req.status;
  const name = inventoryName(req.object, desiredRefs(req), req.status.collisionCount ?? 0);
  if (ready === created && created === name) {
    return { type: BIT, status: "True", reason: "Ready", message: `${name} is the baseline` };
  }
  const unknown = (reason: string, message: string): Finding => ({ type: BIT, status: "Unknown", reason, message });
  if (ready === undefined) return unknown("Pending", `${name} is pending`);
  const previous = ownInventory(req, ready);
  if (previous === undefined || !isDeleting(previous)) {
    return unknown("Pending", `${name} is pending, ${ready} is the baseline`);
  }
  const held = heldBy(previous);
  if (held === undefined) return unknown("Pruning", `${name} is pending until ${ready} is removed`);
  const finding = unknown(held.reason, `${name} is pending until ${ready} is removed: ${held.message}`);
  return held.isStuck ? { ...finding, severity: "Error" } : finding;
}
