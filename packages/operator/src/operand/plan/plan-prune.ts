import { mapConcurrent } from "@levelset/core/internal";
import { StatusError } from "@levelset/core";
import type { JsonObject, Kind, KubeObject, ObjectOf } from "@levelset/core";
import { liveObject } from "../../apply/index.ts";
import type { ClientContext } from "../../apply/index.ts";
import type { Discovery } from "../../client/index.ts";
import { removalGroups } from "../spec/install-order.ts";
import { orderOfInventory } from "../inventory/inventory-order.ts";
import type { Inventory } from "../inventory/inventory.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { keyOfRef, liveRefId } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import { decidePrune, decideLeftover, pendingOf, withoutDelay } from "../prune/prune-decision.ts";
import type { KeepReason, LeftoverDecision, PruneContext } from "../prune/prune-decision.ts";
import { deleteUnchanged, orForbidden, refusalOf } from "../prune/disown.ts";
import type { DeleteRefusal } from "../prune/disown.ts";
import { resolveRefKind } from "../spec/kind-resolver.ts";
import { comparableObject } from "../apply/comparable-object.ts";

/** Planned action on an object that is no longer desired. */
export type PruneAction =
  /** Deleted. */
  | "delete"
  /** Disowned now and deleted later: at a time, or on confirmation. */
  | "mark"
  /** Disowned; stays. */
  | "stay"
  /** Disowned before; its prune time has not come. */
  | "wait"
  /** Not pruned yet: the new set must be ready first, and cannot be. */
  | "hold"
  /** The server rejects the deletion. */
  | "refuse";

/** Why an object is not deleted at once. */
export type PlannedPruneReason =
  | KeepReason
  | Extract<LeftoverDecision, { readonly kind: "wait" }>["reason"]
  /** The new set must be ready first, and cannot be. */
  | "NotReady"
  | DeleteRefusal["reason"];

/** An object that is no longer desired and its planned action. */
export interface PlannedPrune {
  readonly ref: LiveRef;
  readonly action: PruneAction;
  /** Why it stays, waits, is held or rejected. */
  readonly reason?: PlannedPruneReason;
  readonly message?: string;
  /** Time at which a marked object is deleted: RFC 3339. Absent if it needs confirmation. */
  readonly due?: string;
  /** True if it is pruned at once, not only when the new set is ready. */
  readonly isFirst: boolean;
  readonly before: JsonObject;
}

/** Options of {@link planPrune}. */
export interface PrunePlanOptions extends ClientContext {
  readonly discovery: Discovery;
  readonly operand: ObjectOf<Operand>;
  /** Name of the inventory of the new set. */
  readonly baseline: string;
  /** Inventories to remove: superseded ones first, the baseline once the new set is ready. */
  readonly removing: readonly Inventory[];
  /** Objects with the Operand's label that may no longer be desired. */
  readonly unlisted: readonly LiveRef[];
  readonly ctx: PruneContext;
  /** True if the new set becomes ready. */
  readonly isReached: boolean;
}

/** Plans pruning with the decisions and the order of the real run. */
export async function planPrune(options: PrunePlanOptions): Promise<readonly PlannedPrune[]> {
  const { operand, removing, ctx, unlisted } = options;
  const ready = operand.status?.latestReadyActiveOperand;
  const last = new Set(removing.filter(({ metadata }) => metadata.name === ready).flatMap(idsOf));
  const listed = new Map(removing.flatMap(({ spec }) => spec.live).map((ref) => [liveRefId(ref), ref]));
  const order = new Map(removing.flatMap((inventory) => [...orderOfInventory(inventory, operand)]));
  const inOrder = removalGroups([...listed.values()], order).flat();
  const pruned = await mapConcurrent(inOrder, (ref) => pruneOne(ref, options, !last.has(liveRefId(ref))));
  const left = unlisted.filter((ref) => !listed.has(liveRefId(ref)) && !ctx.needed.has(liveRefId(ref)));
  const leftovers = await mapConcurrent(left, (ref) => planLeftover(ref, options));
  return [...pruned, ...leftovers].flatMap((one) => one ?? []);
}

function idsOf({ spec }: Inventory): readonly string[] {
  return spec.live.map(liveRefId);
}

interface FoundObject {
  readonly kind: Kind;
  readonly object: KubeObject;
}

async function find(ref: LiveRef, options: PrunePlanOptions): Promise<FoundObject | StatusError | undefined> {
  const kind = await resolveRefKind(ref, options.discovery, options.signal);
  const object = kind === undefined ? undefined : await orForbidden(liveObject(options, kind, keyOfRef(ref)));
  if (kind === undefined || object === undefined) return undefined;
  return object instanceof StatusError ? object : { kind, object };
}

async function pruneOne(ref: LiveRef, options: PrunePlanOptions, isFirst: boolean): Promise<PlannedPrune | undefined> {
  const found = await find(ref, options);
  if (found === undefined) return undefined;
  return found instanceof StatusError ? unreadable(ref, found, isFirst) : plannedPrune(ref, found, options, isFirst);
}

/** An object that the server does not let us read. */
function unreadable(ref: LiveRef, error: StatusError, isFirst: boolean): PlannedPrune {
  return { ref, isFirst, before: {}, action: "refuse", ...refusalOf(error) };
}

async function plannedPrune(
  ref: LiveRef,
  found: FoundObject,
  options: PrunePlanOptions,
  isFirst: boolean,
): Promise<PlannedPrune | undefined> {
  const pruning = decidePrune(ref, found.object, options.ctx);
  if (pruning.kind === "skip") return undefined;
  const reported = { ref, isFirst, before: shown(found) };
  if (!isFirst && !options.isReached) return { ...reported, ...HELD };
  switch (pruning.kind) {
    case "keep":
      return { ...reported, action: "stay", reason: pruning.reason };
    case "mark":
      return { ...reported, action: "mark", ...pendingOf(pruning.pruneAfter) };
    case "delete":
      return { ...reported, ...(await deletion(found, options)) };
  }
}

async function planLeftover(ref: LiveRef, options: PrunePlanOptions): Promise<PlannedPrune | undefined> {
  const found = await find(ref, options);
  if (found === undefined) return undefined;
  if (found instanceof StatusError) return unreadable(ref, found, false);
  const { operand, baseline, ctx } = options;
  const decision = decideLeftover(found.object, { operand, baseline, now: ctx.now });
  if (decision.kind === "ignore") return undefined;
  if (decision.kind === "prune")
    return plannedPrune(ref, found, { ...options, ctx: withoutDelay(ctx, decision) }, false);
  const reported = { ref, isFirst: false, before: shown(found) };
  if (!options.isReached) return { ...reported, ...HELD };
  const due = "due" in decision ? { due: decision.due } : {};
  return { ...reported, action: "wait", reason: decision.reason, ...due };
}

const HELD = {
  action: "hold",
  reason: "NotReady",
  message: "pruning waits until the new set is ready",
} as const;

async function deletion(
  { kind, object }: FoundObject,
  { client, signal }: ClientContext,
): Promise<Pick<PlannedPrune, "action" | "reason" | "message">> {
  const refusal = await deleteUnchanged(kind, object, { client, signal, dryRun: true });
  return refusal === undefined ? { action: "delete" } : { action: "refuse", ...refusal };
}

function shown({ kind, object }: FoundObject): JsonObject {
  return comparableObject(object, { hasStatus: kind.hasStatus });
}
