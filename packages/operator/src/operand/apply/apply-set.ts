import { mapConcurrent } from "@levelset/core/internal";
import type { Readiness } from "@levelset/core";
import type { WatchFailure } from "../../cache/index.ts";
import type { ItemApplier } from "./apply-item.ts";
import type { HealthGate } from "../spec/health-gate.ts";
import type { HealthRules } from "../spec/health-rules.ts";
import type { ManifestItem } from "../spec/item.ts";
import { groupsOf } from "../spec/install-order.ts";
import { describeLiveRef, liveRefId } from "../spec/live-ref.ts";
import { failedOutcome, waitingOutcome } from "./apply-outcome.ts";
import type { ItemResult, ApplyOutcome } from "./apply-outcome.ts";
import type { ReadinessDeadlines } from "./readiness-deadlines.ts";

/** Reason of objects whose kind cannot be listed or watched. */
export const CANNOT_WATCH = "CannotWatch";

/** Result of applying a set. */
export interface ApplySetResult {
  readonly items: readonly ItemResult[];
}

/** Options of {@link applySet}. */
export interface ApplySetOptions {
  readonly applier: Pick<ItemApplier, "apply">;
  readonly health: Pick<HealthRules, "evaluate">;
  readonly deadlines: Pick<ReadinessDeadlines, "waitedMs">;
  /** Objects that must be ready although no rule names their kind. Default: none. */
  readonly gate?: HealthGate;
  /** Returns why changes of an object are not observed; undefined if they are. Default: all are observed. */
  readonly unwatched?: (item: ManifestItem) => WatchFailure | undefined;
}

/**
 * Applies a set stage by stage, and the objects of one stage concurrently. A failure blocks only its dependents:
 * objects that depend on the failed one, objects in a namespace that could not be created, and later waves.
 */
export async function applySet(items: readonly ManifestItem[], options: ApplySetOptions): Promise<ApplySetResult> {
  const done = new Map<string, ItemResult>();
  for (const group of groupsOf(items)) {
    const earlier = unreadyBefore(group[0]?.wave ?? 0, done);
    const evaluated = await mapConcurrent(group, async (item) => {
      const outcome = earlier ?? heldBack(item, done) ?? (await options.applier.apply(item));
      return evaluate(outcome, item, options);
    });
    for (const one of evaluated) done.set(liveRefId(one.item.ref), one);
  }
  return { items: items.flatMap((item) => done.get(liveRefId(item.ref)) ?? []) };
}

/** Returns why a wave cannot be applied yet; undefined if all earlier waves are ready. */
function unreadyBefore(wave: number, done: ReadonlyMap<string, ItemResult>): ApplyOutcome | undefined {
  for (const { item, outcome, readiness } of done.values()) {
    if (item.wave >= wave || (outcome.kind === "applied" && readiness.kind === "ready")) continue;
    return waitingOutcome("EarlierWave", `wave ${item.wave} is not ready: ${describeLiveRef(item.ref)}`);
  }
  return undefined;
}

/** Returns why an object cannot be applied yet; undefined if it can. */
function heldBack(item: ManifestItem, done: ReadonlyMap<string, ItemResult>): ApplyOutcome | undefined {
  for (const ref of item.dependsOn) {
    const found = done.get(liveRefId(ref));
    if (found?.outcome.kind === "applied" && found.readiness.kind === "ready") continue;
    return waitingOutcome("DependencyNotReady", `${describeLiveRef(ref)} is not ready`);
  }
  const { namespace } = item.ref;
  if (namespace !== undefined) {
    const home = done.get(liveRefId({ group: "", kind: "Namespace", name: namespace }));
    if (home?.outcome.kind === "failed")
      return failedOutcome("DependencyFailed", `namespace ${namespace} could not be created`);
  }
  return undefined;
}

function evaluate(
  outcome: ApplyOutcome,
  item: ManifestItem,
  { health, deadlines, gate, unwatched }: ApplySetOptions,
): ItemResult {
  if (outcome.kind !== "applied") {
    return { item, outcome, readiness: { kind: "progressing", message: outcome.message } };
  }
  const { object } = outcome;
  const failure = item.mode === "Ignore" ? undefined : unwatched?.(item);
  // Applied, but never ready: without a watch neither drift nor health is observed.
  if (failure !== undefined) {
    return { item, outcome, readiness: { kind: "failed", reason: CANNOT_WATCH, message: failure.message } };
  }
  const readiness: Readiness =
    outcome.readiness !== undefined
      ? outcome.readiness
      : object === undefined || item.mode !== "Reconcile"
        ? { kind: "ready", message: "" }
        : health.evaluate(object, deadlines.waitedMs(item.ref, object, outcome.change), gate?.(item) === true);
  return { item, outcome, readiness };
}
