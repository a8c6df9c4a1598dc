import { controllerOf, isReady } from "@levelset/core";
import type { Kind } from "@levelset/core";
import { liveObject } from "../apply/index.ts";
import { ok, reference, step, wait } from "../step/index.ts";
import type { Followed } from "../step/index.ts";
import { inventoryReference } from "./body.ts";
import { desiredItems } from "./desired-refs.ts";
import { firstOf } from "./first-of.ts";
import { distinctKinds, followedByInventories } from "./follow.ts";
import { ClusterActiveOperand, Operand } from "./kinds.ts";
import { isInstalled } from "./installed.ts";
import { inLanes } from "./lanes.ts";
import { describeLiveRef, keyOfRef, refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { fieldManagerOf, partLabel } from "./marks.ts";
import type { InventoryReq } from "./prune.ts";
import { kindOfRef } from "./set-kinds.ts";
import { isNeverOwned } from "./stage.ts";

const operandOf = reference(ClusterActiveOperand, Operand, (inventory) => controllerOf(inventory)?.name);

/** Where one object of an inventory is. */
type Found = "owned" | "free" | "missing";

/**
 * Sees to it that an inventory owns every object that it lists and its Operand keeps. The Operand applies them with the reference in
 * place; what somebody took away is put right here.
 */
export const own = step(ClusterActiveOperand, "Own", {
  condition: "OwnerRefsInjected",
  reads: [operandOf],
  follows: [followedByInventories],
  do: async (req) => {
    const standing = standingOf(req);
    if (!standing.isApplied) {
      req.status.counts = { total: req.spec.live.length, owned: 0 };
      return wait("its Operand is still applying the set, with the references in place");
    }
    const kinds = new Map<string, Kind>();
    for (const ref of req.spec.live) {
      const id = `${ref.kind}.${ref.group}`;
      const kind = kinds.get(id) ?? (await kindOfRef(ref, req.discovery, req.signal));
      if (kind !== undefined) kinds.set(id, kind);
    }
    const followed = await req.follow(followedByInventories, distinctKinds([...kinds.values()]));
    const found = await inLanes(req.spec.live, async (ref): Promise<Found> => {
      const kind = kinds.get(`${ref.kind}.${ref.group}`);
      const state = kind === undefined ? "missing" : await look(req, followed, kind, ref, standing);
      return state === "missing" && standing.ignored.has(refId(ref)) ? "free" : state;
    });
    const owned = found.filter((one) => one === "owned").length;
    req.status.counts = { total: req.spec.live.length, owned };
    const missing = req.spec.live.filter((_, index) => found[index] === "missing");
    if (missing.length === 0) return ok();
    // Nobody tells when a kind comes to be served.
    if (missing.some((ref) => !kinds.has(`${ref.kind}.${ref.group}`))) req.lookAgain(1_000);
    return wait(firstOf(missing, (ref) => `${describeLiveRef(ref)} is not there yet`));
  },
});

/** How the Operand of an inventory stands to it. */
interface Standing {
  /** Whether the set was ever applied in full under this inventory, so that it is worth looking at. */
  readonly isApplied: boolean;
  /** Whether references may be put right. */
  readonly mayWrite: boolean;
  /** The inventory whose references take the place of ours. */
  readonly successor: string | undefined;
  /** What the Operand never touches, so that it may be missing. */
  readonly ignored: ReadonlySet<string>;
}

function standingOf(req: InventoryReq): Standing {
  const name = controllerOf(req.object)?.name;
  const operand = name === undefined ? undefined : req.get(Operand, { name });
  const wasReady = isReady(req.object);
  if (operand === undefined) {
    return { isApplied: wasReady, mayWrite: true, successor: undefined, ignored: new Set() };
  }
  const latest = operand.status?.latestCreatedActiveOperand;
  const successor = latest === req.name ? undefined : latest;
  const ignored = desiredItems(operand).filter(({ mode }) => mode === "Ignore");
  return {
    isApplied: wasReady || isInstalled(operand),
    mayWrite: !operand.spec.suspend && successor === undefined,
    successor,
    ignored: new Set(ignored.map(({ ref }) => refId(ref))),
  };
}

async function look(
  req: InventoryReq,
  followed: Followed,
  kind: Kind,
  ref: LiveRef,
  standing: Standing,
): Promise<Found> {
  const key = keyOfRef(ref);
  const copy = followed.failure(kind) === undefined ? followed.get(kind, key) : undefined;
  const object = copy ?? (await liveObject(req, kind, key));
  if (object === undefined) return "missing";
  // What its Operand does not keep, such as what was there before and is only ensured, is nobody's.
  const operandUid = controllerOf(req.object)?.uid ?? "";
  if (isNeverOwned(ref) || object.metadata.labels?.[partLabel(operandUid)] === undefined) return "free";
  const reference = inventoryReference(req.object);
  const { successor } = standing;
  const isOwned = object.metadata.ownerReferences?.some(({ uid, name }) => uid === reference.uid || name === successor);
  if (isOwned === true) {
    req.contention(kind, key, reference.uid).seen();
    return "owned";
  }
  if (!standing.mayWrite || object.metadata.deletionTimestamp !== undefined) return "missing";
  const metadata = { ...key, uid: object.metadata.uid, ownerReferences: [reference] };
  // Each inventory signs as itself: under one name the second of two owners would take the first one's reference away.
  const fieldManager = fieldManagerOf(reference.uid);
  const contention = req.contention(kind, key, reference.uid);
  if (contention.hold() !== undefined) return "missing";
  const after = await req.client.apply(kind, { metadata }, { force: true, fieldManager, signal: req.signal });
  contention.wrote(object, after);
  return "owned";
}
