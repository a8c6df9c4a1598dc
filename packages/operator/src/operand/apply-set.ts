import type { Readiness } from "@levelset/core";
import type { WatchFailure } from "../cache/index.ts";
import type { ItemApplier } from "./apply-item.ts";
import type { Health } from "./health.ts";
import type { Item } from "./item.ts";
import { groupsOf } from "./install-order.ts";
import { inLanes } from "./lanes.ts";
import { describeLiveRef, refId } from "./live-ref.ts";
import { failed, waiting } from "./outcome.ts";
import type { JudgedItem, Outcome } from "./outcome.ts";
import type { Patience } from "./patience.ts";

/** The reason of objects whose kind cannot be listed or watched. */
export const CANNOT_WATCH = "CannotWatch";

/** What came of applying a set. */
export interface SetOutcome {
  readonly items: readonly JudgedItem[];
}

/** What applying a set takes. */
export interface ApplySetOptions {
  readonly applier: Pick<ItemApplier, "apply">;
  readonly health: Pick<Health, "of">;
  readonly patience: Pick<Patience, "waitedMs">;
  /** Why changes of an object are not seen; undefined when they are. Default: they are. */
  readonly unwatched?: (item: Item) => WatchFailure | undefined;
}

/**
 * Applies a set, stage by stage: within a stage many at a time. What fails keeps back only what depends on it: objects that name it,
 * objects in a namespace that could not be made, and later waves.
 */
export async function applySet(items: readonly Item[], options: ApplySetOptions): Promise<SetOutcome> {
  const done = new Map<string, JudgedItem>();
  for (const group of groupsOf(items)) {
    const earlier = unreadyBefore(group[0]?.wave ?? 0, done);
    const judged = await inLanes(group, async (item) => {
      const outcome = earlier ?? heldBack(item, done) ?? (await options.applier.apply(item));
      return judge(outcome, item, options);
    });
    for (const one of judged) done.set(refId(one.item.ref), one);
  }
  return { items: items.flatMap((item) => done.get(refId(item.ref)) ?? []) };
}

/** Why nothing of a wave can be applied yet; undefined when all of the earlier ones is ready. */
function unreadyBefore(wave: number, done: ReadonlyMap<string, JudgedItem>): Outcome | undefined {
  for (const { item, outcome, readiness } of done.values()) {
    if (item.wave >= wave || (outcome.kind === "applied" && readiness.kind === "ready")) continue;
    return waiting("EarlierWave", `wave ${item.wave} is not ready: ${describeLiveRef(item.ref)}`);
  }
  return undefined;
}

/** Why an object cannot be applied yet; undefined when nothing holds it back. */
function heldBack(item: Item, done: ReadonlyMap<string, JudgedItem>): Outcome | undefined {
  for (const ref of item.dependsOn) {
    const found = done.get(refId(ref));
    if (found?.outcome.kind === "applied" && found.readiness.kind === "ready") continue;
    return waiting("DependencyNotReady", `${describeLiveRef(ref)} is not ready`);
  }
  const { namespace } = item.ref;
  if (namespace !== undefined) {
    const home = done.get(refId({ group: "", kind: "Namespace", name: namespace }));
    if (home?.outcome.kind === "failed") return failed("DependencyFailed", `namespace ${namespace} could not be made`);
  }
  return undefined;
}

function judge(outcome: Outcome, item: Item, { health, patience, unwatched }: ApplySetOptions): JudgedItem {
  if (outcome.kind !== "applied") {
    return { item, outcome, readiness: { kind: "progressing", message: outcome.message } };
  }
  const { object } = outcome;
  const failure = item.mode === "Ignore" ? undefined : unwatched?.(item);
  // Applied, but never ready: that it stays as it should be, and stays healthy, is not known.
  if (failure !== undefined) {
    return { item, outcome, readiness: { kind: "failed", reason: CANNOT_WATCH, message: failure.message } };
  }
  const readiness: Readiness =
    object === undefined || item.mode !== "Reconcile"
      ? { kind: "ready", message: "" }
      : health.of(object, patience.waitedMs(item.ref, object, outcome.change));
  return { item, outcome, readiness };
}
