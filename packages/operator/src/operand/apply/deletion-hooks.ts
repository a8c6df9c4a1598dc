import { findCondition, isDeleting, Namespace } from "@levelset/core";
import { BACKOFFS } from "@levelset/core/internal";
import type { ObjectOf } from "@levelset/core";
import { liveObject } from "../../apply/index.ts";
import { wait } from "../../engine/index.ts";
import type { Result } from "../../engine/index.ts";
import { ownInventory } from "../inventory/inventory.ts";
import type { Inventory, OperandReq } from "../inventory/inventory.ts";
import { operandWatch } from "../inventory/operand-watches.ts";
import { REMOVAL_SEVERITY } from "../inventory/removal-hold.ts";
import { NOT_STALLED, stall } from "../inventory/stalled.ts";
import { ORPHAN_FINALIZER, SKIP_HOOKS } from "../spec/labels-and-annotations.ts";
import { desiredItems } from "../spec/desired-refs.ts";
import { hooksOf, skipsHooks } from "../spec/hook-order.ts";
import type { ManifestItem } from "../spec/item.ts";
import { KindResolver } from "../spec/kind-resolver.ts";
import { describeLiveRef } from "../spec/live-ref.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { ItemApplier } from "./apply-item.ts";
import { retryAfterMs } from "./apply-outcome.ts";
import type { ApplyOutcome } from "./apply-outcome.ts";
import type { ItemCache } from "./item-cache.ts";
import { JobRuns } from "./job-runs.ts";

/** State of a hook before the deletion. */
type HookState =
  | { readonly kind: "done" }
  | {
      readonly kind: "held";
      readonly reason: "WaitingForHook" | "HookFailed" | "HookTimedOut";
      readonly message: string;
    };

const HELD = ["WaitingForHook", "HookFailed", "HookTimedOut"];
const DONE: HookState = { kind: "done" };

/**
 * Runs the preDelete hooks of an Operand before any of its objects is deleted. Returns what the deletion waits for;
 * undefined once all hooks have completed or none runs: see `inventoryToRunIn`.
 */
export async function runDeletionHooks(req: OperandReq, cache: ItemCache): Promise<Result<undefined> | undefined> {
  const hooks = hooksOf(desiredItems(req), "preDelete");
  const jobs = new JobRuns(req.object);
  jobs.active = new Set(["preDelete"]);
  const left = hooks.filter(
    (item) => jobs.saved(item)?.hash !== jobs.hashOf(item) || jobs.saved(item)?.result !== "Complete",
  );
  const inventory = left.length === 0 ? undefined : inventoryToRunIn(req, left);
  if (inventory === undefined) return undefined;
  const kinds = await KindResolver.of(
    hooks.map(({ object }) => object),
    req.discovery,
    req.signal,
  );
  const resolved = hooks.flatMap(({ object }) => kinds.get(object)?.kind ?? []);
  const watched = await req.watch(operandWatch, resolved);
  const { client, object: operand, signal, contention, clock } = req;
  const applier = new ItemApplier({
    client,
    watched,
    kinds,
    operand,
    inventory,
    signal,
    cache,
    contention,
    jobs,
    clock,
  });
  const states: (HookState & { readonly item: ManifestItem })[] = [];
  for (const item of left) states.push({ item, ...(await runHook(req, applier, jobs, item)) });
  req.status.jobs = jobs.recordsFor(desiredItems(req));
  if (jobs.requeueMs !== undefined) req.requeueAfter(jobs.requeueMs);
  return holdOf(req, states);
}

/**
 * Returns the inventory that owns the Jobs of the hooks. Undefined if none runs: the set was never ready, its objects
 * stay, they are already being deleted, or the hooks are skipped.
 */
function inventoryToRunIn(req: OperandReq, left: readonly ManifestItem[]): Inventory | undefined {
  const { object, status } = req;
  const name = status.latestReadyActiveOperand;
  if (name === undefined || isOrphaning(object)) return undefined;
  const inventory = ownInventory(req, name);
  if (inventory !== undefined && !isDeleting(inventory) && !skipsHooks(object)) return inventory;
  const why = skipsHooks(object) ? `the annotation ${SKIP_HOOKS} is set` : "its inventory is already being deleted";
  // The inventory is deleted by us once the hooks have ended, and gone at the end.
  if (inventory !== undefined && !isStarted(object)) for (const item of left) reportSkipped(req, item, why);
  return undefined;
}

/** Reports whether the deletion of the objects has begun in an earlier run. */
function isStarted({ status }: ObjectOf<Operand>): boolean {
  const reason = findCondition(status?.conditions, "OperandInstalled")?.reason ?? "";
  return status?.phase === "Deleting" && !HELD.includes(reason);
}

function isOrphaning({ metadata, spec }: ObjectOf<Operand>): boolean {
  return spec.deletionPolicy === "Orphan" || metadata.finalizers?.includes(ORPHAN_FINALIZER) === true;
}

function reportSkipped(req: OperandReq, { ref }: ManifestItem, why: string): void {
  const message = `hook preDelete of ${describeLiveRef(ref)} is skipped: ${why}`;
  req.event({ type: "Warning", reason: "HookSkipped", message });
}

async function runHook(req: OperandReq, applier: ItemApplier, jobs: JobRuns, item: ManifestItem): Promise<HookState> {
  const outcome = await applier.apply(item);
  switch (outcome.kind) {
    case "applied": {
      const { readiness } = outcome;
      if (readiness === undefined || readiness.kind === "ready") return DONE;
      const isLate = readiness.kind === "failed" && readiness.reason === "HookTimedOut";
      const reason = readiness.kind === "failed" ? (isLate ? "HookTimedOut" : "HookFailed") : "WaitingForHook";
      return { kind: "held", reason, message: readiness.message };
    }
    case "waiting":
      jobs.requeueAfter(retryAfterMs(outcome) ?? BACKOFFS.deletionHook.firstMs);
      return { kind: "held", reason: "WaitingForHook", message: outcome.message };
    case "failed":
      return notStarted(req, jobs, item, outcome);
  }
}

/** Skips a hook whose namespace is gone or terminating, where no object can be created. */
async function notStarted(
  req: OperandReq,
  jobs: JobRuns,
  item: ManifestItem,
  { message }: Extract<ApplyOutcome, { readonly kind: "failed" }>,
): Promise<HookState> {
  const { namespace = "" } = item.ref;
  const home = await liveObject(req, Namespace, { name: namespace });
  if (home === undefined || isDeleting(home)) {
    reportSkipped(req, item, `namespace ${namespace} is ${home === undefined ? "gone" : "being deleted"}`);
    return DONE;
  }
  jobs.requeueAfter(BACKOFFS.deletionHook.firstMs);
  return { kind: "held", reason: "HookFailed", message: `hook preDelete cannot start: ${message}` };
}

/** Returns the wait for the hooks; undefined if all are done. */
function holdOf(
  req: OperandReq,
  states: readonly (HookState & { readonly item: ManifestItem })[],
): Result<undefined> | undefined {
  const held = states.filter((state) => state.kind === "held");
  const first = held.find(({ reason }) => reason !== "WaitingForHook") ?? held[0];
  if (first === undefined) return undefined;
  const { item, reason } = first;
  req.status.phase = "Deleting";
  const isStuck = reason !== "WaitingForHook";
  const hint = isStuck
    ? `; fix or delete the Job, or skip it: kubectl annotate operand/${req.name} ${SKIP_HOOKS}=true`
    : "";
  const message = `${describeLiveRef(item.ref)}: ${first.message}${hint}`;
  stall(req, isStuck ? { status: "True", reason, message } : NOT_STALLED);
  if (isStuck) req.event({ type: "Warning", reason, message });
  const { apiVersion, kind } = item.object;
  const { namespace, name } = item.ref;
  const on = [{ apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) }];
  return wait(message, { reason, severity: REMOVAL_SEVERITY[reason], on });
}
