import type { JsonObject, Kind, KubeObject, ObjectOf } from "@levelset/core";
import type { Reach } from "../apply/index.ts";
import { liveObject } from "../apply/index.ts";
import type { Discovery } from "../client/index.ts";
import { removalGroups } from "./install-order.ts";
import { orderOfInventory } from "./inventory-order.ts";
import { inLanes } from "./lanes.ts";
import type { Inventory } from "./inventory.ts";
import type { Operand } from "./kinds.ts";
import { keyOfRef, refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { decidePruning, decideSweeping, whenDue } from "./pruning.ts";
import type { Surroundings } from "./pruning.ts";
import { deleteObject } from "./release.ts";
import { kindOfRef } from "./set-kinds.ts";
import { visibleObject } from "./visible.ts";

/** What would become of an object that is no longer asked for. */
export type PruneAction =
  /** It is deleted. */
  | "delete"
  /** It is let go of now and deleted later: at a time, or at a word. */
  | "mark"
  /** It is let go of and stays. */
  | "stay"
  /** It was let go of before, and its time has not come. */
  | "wait"
  /** Nothing yet: the new set must be there first, and cannot be. */
  | "hold"
  /** The server does not let it be deleted. */
  | "refuse";

/** An object that is no longer asked for, and what would become of it. */
export interface PlannedPrune {
  readonly ref: LiveRef;
  readonly action: PruneAction;
  /** Why it stays, waits, is held or refused. */
  readonly reason?: string;
  readonly message?: string;
  /** When a marked one goes: RFC 3339. Absent where a word is waited for. */
  readonly due?: string;
  /** Whether it goes at once, and not only when the new set is ready. */
  readonly isFirst: boolean;
  readonly before: JsonObject;
}

/** What pruning is planned by. */
export interface PrunePlanOptions extends Reach {
  readonly discovery: Discovery;
  readonly operand: ObjectOf<Operand>;
  /** How the inventory of the new set is called. */
  readonly baseline: string;
  /** The inventories that go: superseded ones first, the baseline when the new set is ready. */
  readonly going: readonly Inventory[];
  /** Objects that carry the Operand's label and that it may no longer ask for. */
  readonly strays: readonly LiveRef[];
  readonly around: Surroundings;
  /** Whether the new set gets to be ready. */
  readonly isReached: boolean;
}

/** What would be pruned, by the decisions of the real run and in its order. */
export async function planPrune(options: PrunePlanOptions): Promise<readonly PlannedPrune[]> {
  const { operand, going, around, strays } = options;
  const ready = operand.status?.latestReadyActiveOperand;
  const last = new Set(going.filter(({ metadata }) => metadata.name === ready).flatMap(idsOf));
  const listed = new Map(going.flatMap(({ spec }) => spec.live).map((ref) => [refId(ref), ref]));
  const order = new Map(going.flatMap((inventory) => [...orderOfInventory(inventory, operand)]));
  const inOrder = removalGroups([...listed.values()], order).flat();
  const pruned = await inLanes(inOrder, (ref) => pruneOne(ref, options, !last.has(refId(ref))));
  const left = strays.filter((ref) => !listed.has(refId(ref)) && !around.kept.has(refId(ref)));
  const swept = await inLanes(left, (ref) => sweepOne(ref, options));
  return [...pruned, ...swept].flatMap((one) => one ?? []);
}

function idsOf({ spec }: Inventory): readonly string[] {
  return spec.live.map(refId);
}

interface Found {
  readonly kind: Kind;
  readonly object: KubeObject;
}

async function find(ref: LiveRef, options: PrunePlanOptions): Promise<Found | undefined> {
  const kind = await kindOfRef(ref, options.discovery, options.signal);
  const object = kind === undefined ? undefined : await liveObject(options, kind, keyOfRef(ref));
  return kind === undefined || object === undefined ? undefined : { kind, object };
}

async function pruneOne(ref: LiveRef, options: PrunePlanOptions, isFirst: boolean): Promise<PlannedPrune | undefined> {
  const found = await find(ref, options);
  return found === undefined ? undefined : plannedPrune(ref, found, options, isFirst);
}

async function plannedPrune(
  ref: LiveRef,
  found: Found,
  options: PrunePlanOptions,
  isFirst: boolean,
): Promise<PlannedPrune | undefined> {
  const pruning = decidePruning(ref, found.object, options.around);
  if (pruning.kind === "pass") return undefined;
  const told = { ref, isFirst, before: shown(found) };
  if (!isFirst && !options.isReached) return { ...told, ...HELD };
  switch (pruning.kind) {
    case "stay":
      return { ...told, action: "stay", reason: pruning.reason };
    case "mark":
      return pruning.pruneAfter === "confirm"
        ? { ...told, action: "mark", reason: "Confirm" }
        : { ...told, action: "mark", reason: "Deferred", due: pruning.pruneAfter };
    case "delete":
      return { ...told, ...(await deletion(found, options)) };
  }
}

async function sweepOne(ref: LiveRef, options: PrunePlanOptions): Promise<PlannedPrune | undefined> {
  const found = await find(ref, options);
  if (found === undefined) return undefined;
  const { operand, baseline, around } = options;
  const sweeping = decideSweeping(found.object, { operand, baseline, now: around.now });
  if (sweeping.kind === "leave") return undefined;
  if (sweeping.kind === "go") return plannedPrune(ref, found, { ...options, around: whenDue(around, sweeping) }, false);
  const told = { ref, isFirst: false, before: shown(found) };
  if (!options.isReached) return { ...told, ...HELD };
  const due = "due" in sweeping ? { due: sweeping.due } : {};
  return { ...told, action: "wait", reason: sweeping.reason, ...due };
}

const HELD = {
  action: "hold",
  reason: "NotReady",
  message: "nothing is pruned before the new set is there",
} as const;

async function deletion(
  { kind, object }: Found,
  { client, signal }: Reach,
): Promise<Pick<PlannedPrune, "action" | "reason" | "message">> {
  const refusal = await deleteObject(kind, object, { client, signal, dryRun: true });
  return refusal === undefined ? { action: "delete" } : { action: "refuse", ...refusal };
}

function shown({ kind, object }: Found): JsonObject {
  return visibleObject(object, { hasStatus: kind.hasStatus });
}
