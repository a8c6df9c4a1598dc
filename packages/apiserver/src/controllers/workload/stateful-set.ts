import type { ObjectOf, StatefulSet as StatefulSetKind } from "@levelset/core";
import { countOf } from "./fraction.ts";
import { isFinished, isPodReady, msUntilAvailable } from "./pod.ts";
import type { Pod } from "./pod.ts";
import { REVISION_LABEL } from "./revision.ts";

/** A stateful set as the server keeps it. */
export type StatefulSet = ObjectOf<typeof StatefulSetKind>;

/** What to do next for a stateful set. */
export type StatefulStep =
  | { readonly kind: "create"; readonly ordinal: number; readonly revision: string }
  | { readonly kind: "remove"; readonly pod: Pod };

/** What a stateful set is decided by. */
export interface StatefulView {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  /** Name of the revision that pods had before the present template. */
  readonly current: string;
  /** Name of the revision of the present template. */
  readonly update: string;
  readonly now: number;
}

/** The number of a pod of a set; undefined for one that is not named after it. */
export function ordinalOf(set: StatefulSet, pod: Pod): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const number = pod.metadata.name.startsWith(prefix) ? pod.metadata.name.slice(prefix.length) : "";
  return /^\d+$/u.test(number) ? Number(number) : undefined;
}

/** The numbers that the pods of a set have. */
export function ordinalsOf(set: StatefulSet): readonly number[] {
  const start = set.spec.ordinals?.start ?? 0;
  return Array.from({ length: set.spec.replicas ?? 1 }, (_, index) => start + index);
}

/** The revision of a pod. */
export function revisionName(pod: Pod): string {
  return pod.metadata.labels?.[REVISION_LABEL] ?? "";
}

/** What to do now; nothing while something must first become ready, or go. Ordered sets take one step at a time. */
export function planStatefulSet(view: StatefulView): readonly StatefulStep[] {
  const scaling = [...growth(view), ...shrinkage(view)];
  const isOrdered = view.set.spec.podManagementPolicy !== "Parallel";
  const due = isOrdered ? scaling.slice(0, 1) : scaling;
  if (due.length > 0) return due.flatMap((step) => (step.kind === "wait" ? [] : [step]));
  return updates(view);
}

type Scaling = StatefulStep | { readonly kind: "wait" };

/** Pods that are missing, in order, and waits for those that are not there yet. */
function growth(view: StatefulView): readonly Scaling[] {
  const { set, pods } = view;
  return ordinalsOf(set).flatMap((ordinal): readonly Scaling[] => {
    const pod = pods.find((each) => ordinalOf(set, each) === ordinal);
    if (pod === undefined) return [{ kind: "create", ordinal, revision: revisionFor(view, ordinal) }];
    if (pod.metadata.deletionTimestamp !== undefined) return [{ kind: "wait" }];
    if (isFinished(pod)) return [{ kind: "remove", pod }];
    // A pod of an old template that never became ready may be replaced without waiting for it.
    const isStuck =
      !isAvailable(view, pod) && revisionName(pod) !== view.update && isRolling(view) && ordinal >= partitionOf(set);
    return isAvailable(view, pod) || isStuck ? [] : [{ kind: "wait" }];
  });
}

/** Pods beyond the wanted number, the highest first. */
function shrinkage(view: StatefulView): readonly Scaling[] {
  const { set, pods } = view;
  const wanted = new Set(ordinalsOf(set));
  return pods
    .filter((pod) => !wanted.has(ordinalOf(set, pod) ?? -1))
    .toSorted((a, b) => (ordinalOf(set, b) ?? 0) - (ordinalOf(set, a) ?? 0))
    .map((pod) => (pod.metadata.deletionTimestamp === undefined ? { kind: "remove", pod } : { kind: "wait" }));
}

function isRolling({ set }: StatefulView): boolean {
  return set.spec.updateStrategy?.type !== "OnDelete";
}

/** Pods of an old template, the highest first, as many at a time as may be missing. */
function updates(view: StatefulView): readonly StatefulStep[] {
  const { set, pods } = view;
  if (!isRolling(view)) return [];
  const { maxUnavailable } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const may = Math.max(1, countOf(maxUnavailable ?? 1, set.spec.replicas ?? 1, "up"));
  const inRange = pods
    .filter((pod) => (ordinalOf(set, pod) ?? -1) >= partitionOf(set))
    .toSorted((a, b) => (ordinalOf(set, b) ?? 0) - (ordinalOf(set, a) ?? 0));
  const steps: StatefulStep[] = [];
  let missing = 0;
  for (const pod of inRange) {
    if (missing >= may) break;
    const isGoing = pod.metadata.deletionTimestamp !== undefined;
    if (!isGoing && revisionName(pod) !== view.update) steps.push({ kind: "remove", pod });
    if (isGoing || revisionName(pod) !== view.update || !isAvailable(view, pod)) missing++;
  }
  return steps;
}

function partitionOf(set: StatefulSet): number {
  return (set.spec.ordinals?.start ?? 0) + (set.spec.updateStrategy?.rollingUpdate?.partition ?? 0);
}

function revisionFor({ set, current, update }: StatefulView, ordinal: number): string {
  const isRollingUpdate = set.spec.updateStrategy?.type !== "OnDelete";
  return isRollingUpdate && ordinal < partitionOf(set) ? current : update;
}

function isAvailable({ set, now }: StatefulView, pod: Pod): boolean {
  return msUntilAvailable(pod, set.spec.minReadySeconds ?? 0, now) === 0;
}

/** The status of a stateful set. A rollout that is over makes the new revision the current one. */
export function statefulSetStatus(view: StatefulView): NonNullable<StatefulSet["status"]> {
  const { set, pods, current, update } = view;
  const there = pods.filter((pod) => !isFinished(pod));
  const alive = there.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const of = (revision: string): number => alive.filter((pod) => revisionName(pod) === revision).length;
  const ready = there.filter(isPodReady).length;
  const isDone =
    isRolling(view) && [there.length, of(update), ready].every((number) => number === (set.spec.replicas ?? 1));
  const { generation } = set.metadata;
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    replicas: there.length,
    ...(ready === 0 ? {} : { readyReplicas: ready }),
    availableReplicas: there.filter((pod) => isAvailable(view, pod)).length,
    ...count("currentReplicas", isDone ? of(update) : of(current)),
    ...count("updatedReplicas", of(update)),
    currentRevision: isDone ? update : current,
    updateRevision: update,
    collisionCount: set.status?.collisionCount ?? 0,
  };
}

function count(field: "currentReplicas" | "updatedReplicas", value: number): { readonly [F in typeof field]?: number } {
  return value === 0 ? {} : { [field]: value };
}
