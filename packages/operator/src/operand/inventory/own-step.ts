import { controllerOf, isReady } from "@levelset/core";
import { mapConcurrent } from "@levelset/core/internal";
import type { Kind, ObjectOf } from "@levelset/core";
import { liveObject } from "../../apply/index.ts";
import type { Client } from "../../client/index.ts";
import { ok, reference, step, wait } from "../../engine/index.ts";
import type { WatchedObjects } from "../../engine/index.ts";
import { desiredItems } from "../spec/desired-refs.ts";
import { summarizeFirst } from "../spec/summarize-first.ts";
import { distinctKinds, inventoryWatch } from "./operand-watches.ts";
import { ClusterActiveOperand, Operand } from "../spec/operand-kinds.ts";
import { isInstalled } from "../spec/is-installed.ts";
import { describeLiveRef, keyOfRef, liveRefId } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import type { ManifestItem } from "../spec/item.ts";
import { fieldManagerOf, partLabel } from "../spec/labels-and-annotations.ts";
import { inventoryReference } from "./inventory.ts";
import type { InventoryReq } from "./inventory.ts";
import { resolveRefKind } from "../spec/kind-resolver.ts";
import { setClientOfInventory } from "../spec/set-client.ts";
import { isNeverOwned } from "../spec/stage.ts";

const operandOf = reference(ClusterActiveOperand, Operand, (inventory) => controllerOf(inventory)?.name);

/** Ownership state of one object of an inventory. */
type OwnState = "owned" | "free" | "missing";

/**
 * Ensures that an inventory owns every object that it lists and its Operand manages. The Operand applies objects with
 * the owner reference; this step restores references that another client removed.
 */
export const ownStep = step(ClusterActiveOperand, "Own", {
  condition: "OwnerRefsInjected",
  reads: [operandOf],
  dynamicWatches: [inventoryWatch],
  do: async (req) => {
    const ownership = ownershipOf(req);
    if (!ownership.isApplied) {
      req.status.counts = { total: req.spec.live.length, owned: 0 };
      return wait("its Operand is still applying the set, with the references in place");
    }
    const kinds = new Map<string, Kind>();
    for (const ref of req.spec.live) {
      const id = `${ref.kind}.${ref.group}`;
      const kind = kinds.get(id) ?? (await resolveRefKind(ref, req.discovery, req.signal));
      if (kind !== undefined) kinds.set(id, kind);
    }
    const watched = await req.watch(inventoryWatch, distinctKinds([...kinds.values()]));
    const found = await mapConcurrent(req.spec.live, async (ref): Promise<OwnState> => {
      const kind = kinds.get(`${ref.kind}.${ref.group}`);
      const isDone = kind !== undefined && ownership.done.has(liveRefId(ref)) && watched.failure(kind) === undefined;
      // A Job that has ended may be gone, which costs no read.
      if (isDone && watched.get(kind, keyOfRef(ref)) === undefined) return "free";
      const state = kind === undefined ? "missing" : await ensureOwned(req, watched, kind, ref, ownership);
      return state === "missing" && ownership.ignored.has(liveRefId(ref)) ? "free" : state;
    });
    const owned = found.filter((one) => one === "owned").length;
    req.status.counts = { total: req.spec.live.length, owned };
    const missing = req.spec.live.filter((_, index) => found[index] === "missing");
    if (missing.length === 0) return ok();
    // No watch event reports that a kind is served.
    if (missing.some((ref) => !kinds.has(`${ref.kind}.${ref.group}`))) req.requeueAfter(1_000);
    return wait(summarizeFirst(missing, (ref) => `${describeLiveRef(ref)} does not exist yet`));
  },
});

/** Relation between an inventory and its Operand. */
interface Ownership {
  /** True if the set was ever fully applied under this inventory, so that checking it makes sense. */
  readonly isApplied: boolean;
  /** True if references may be restored. */
  readonly mayWrite: boolean;
  /** Name of the inventory whose references replace ours. */
  readonly successor: string | undefined;
  /** Objects of mode Ignore, which may be missing. */
  readonly ignored: ReadonlySet<string>;
  /** Client for the objects of the set. */
  readonly client: Client;
  /** Jobs that have ended or that run as hooks, which may be missing. */
  readonly done: ReadonlySet<string>;
}

function ownershipOf(req: InventoryReq): Ownership {
  const name = controllerOf(req.object)?.name;
  const operand = name === undefined ? undefined : req.get(Operand, { name });
  const wasReady = isReady(req.object);
  const isOurs = operand?.metadata.uid === controllerOf(req.object)?.uid;
  const client = setClientOfInventory(req.client, req.object, isOurs ? operand : undefined);
  if (operand === undefined) {
    const none = new Set<string>();
    return { isApplied: wasReady, mayWrite: true, successor: undefined, ignored: none, done: none, client };
  }
  const latest = operand.status?.latestCreatedActiveOperand;
  const successor = latest === req.name ? undefined : latest;
  const items = desiredItems(operand);
  const ignored = items.filter(({ mode }) => mode === "Ignore");
  return {
    isApplied: wasReady || isInstalled(operand),
    mayWrite: !operand.spec.suspend && successor === undefined,
    successor,
    ignored: new Set(ignored.map(({ ref }) => liveRefId(ref))),
    client,
    done: doneJobs(operand, items),
  };
}

/** Returns the Jobs of an Operand that may be missing. */
function doneJobs({ status }: ObjectOf<Operand>, items: readonly ManifestItem[]): ReadonlySet<string> {
  const ended = (status?.jobs ?? []).map(({ namespace, job: name }) => ({
    group: "batch",
    kind: "Job",
    namespace,
    name,
  }));
  const hooks = items.filter(({ job }) => job !== undefined && job.hooks.length > 0).map(({ ref }) => ref);
  return new Set([...ended, ...hooks].map(liveRefId));
}

async function ensureOwned(
  req: InventoryReq,
  watched: WatchedObjects,
  kind: Kind,
  ref: LiveRef,
  ownership: Ownership,
): Promise<OwnState> {
  const key = keyOfRef(ref);
  const copy = watched.failure(kind) === undefined ? watched.get(kind, key) : undefined;
  const { client } = ownership;
  const object = copy ?? (await liveObject({ client, signal: req.signal }, kind, key));
  if (object === undefined) return "missing";
  // Objects that the Operand does not manage are not owned, for example existing ones of mode EnsureExists.
  const operandUid = controllerOf(req.object)?.uid ?? "";
  if (isNeverOwned(ref) || object.metadata.labels?.[partLabel(operandUid)] === undefined) return "free";
  const reference = inventoryReference(req.object);
  const { successor } = ownership;
  const isOwned = object.metadata.ownerReferences?.some(({ uid, name }) => uid === reference.uid || name === successor);
  if (isOwned === true) {
    req.contention(kind, key, reference.uid).seen();
    return "owned";
  }
  if (!ownership.mayWrite || object.metadata.deletionTimestamp !== undefined) return "missing";
  const metadata = { ...key, uid: object.metadata.uid, ownerReferences: [reference] };
  // Each inventory is its own field manager: with a shared one, applying the second owner reference would remove the
  // first.
  const fieldManager = fieldManagerOf(reference.uid);
  const contention = req.contention(kind, key, reference.uid);
  if (contention.hold() !== undefined) return "missing";
  const after = await client.apply(kind, { metadata }, { force: true, fieldManager, signal: req.signal });
  contention.wrote(object, after);
  return "owned";
}
