import type { ObjectOf, StatefulSet as StatefulSetKind } from "@levelset/core";
import { scaledValueOf } from "../int-or-percent.ts";
import { isPodFinished, isPodReady, msUntilAvailable } from "../pod/pod.ts";
import type { Pod } from "../pod/pod.ts";
import { REVISION_LABEL } from "./revision.ts";

/** A stored stateful set. */
export type StatefulSet = ObjectOf<typeof StatefulSetKind>;

/** Next action for a stateful set. */
export type StatefulSetAction =
  | { readonly kind: "create"; readonly ordinal: number; readonly revision: string }
  | { readonly kind: "remove"; readonly pod: Pod };

/** Input of {@link planStatefulSet}. */
export interface StatefulSetSnapshot {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  /** Name of the revision before the current template. */
  readonly current: string;
  /** Name of the revision of the current template. */
  readonly update: string;
  readonly now: number;
}

/** Returns the ordinal of a pod; undefined if its name does not match the set. */
export function ordinalOf(set: StatefulSet, pod: Pod): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const number = pod.metadata.name.startsWith(prefix) ? pod.metadata.name.slice(prefix.length) : "";
  return /^\d+$/u.test(number) ? Number(number) : undefined;
}

/** Returns the ordinals of the pods of a set. */
export function ordinalsOf(set: StatefulSet): readonly number[] {
  const start = set.spec.ordinals?.start ?? 0;
  return Array.from({ length: set.spec.replicas ?? 1 }, (_, index) => start + index);
}

/** Returns the revision of a pod. */
export function revisionOfPod(pod: Pod): string {
  return pod.metadata.labels?.[REVISION_LABEL] ?? "";
}

/**
 * Decides the next actions; empty while a pod must first become ready or terminate. Ordered sets take one action at a
 * time.
 */
export function planStatefulSet(view: StatefulSetSnapshot): readonly StatefulSetAction[] {
  const scaling = [...growth(view), ...shrinkage(view)];
  const isOrdered = view.set.spec.podManagementPolicy !== "Parallel";
  const due = isOrdered ? scaling.slice(0, 1) : scaling;
  if (due.length > 0) return due.flatMap((step) => (step.kind === "wait" ? [] : [step]));
  return updates(view);
}

type Scaling = StatefulSetAction | { readonly kind: "wait" };

/** Returns missing pods in order, and waits for pods that are not ready. */
function growth(view: StatefulSetSnapshot): readonly Scaling[] {
  const { set, pods } = view;
  return ordinalsOf(set).flatMap((ordinal): readonly Scaling[] => {
    const pod = pods.find((each) => ordinalOf(set, each) === ordinal);
    if (pod === undefined) return [{ kind: "create", ordinal, revision: revisionFor(view, ordinal) }];
    if (pod.metadata.deletionTimestamp !== undefined) return [{ kind: "wait" }];
    if (isPodFinished(pod)) return [{ kind: "remove", pod }];
    // A pod of an old template that never became ready may be replaced without waiting.
    const isStuck =
      !isAvailable(view, pod) && revisionOfPod(pod) !== view.update && isRolling(view) && ordinal >= partitionOf(set);
    return isAvailable(view, pod) || isStuck ? [] : [{ kind: "wait" }];
  });
}

/** Returns pods beyond the desired number, highest ordinal first. */
function shrinkage(view: StatefulSetSnapshot): readonly Scaling[] {
  const { set, pods } = view;
  const desired = new Set(ordinalsOf(set));
  return pods
    .filter((pod) => !desired.has(ordinalOf(set, pod) ?? -1))
    .toSorted((a, b) => (ordinalOf(set, b) ?? 0) - (ordinalOf(set, a) ?? 0))
    .map((pod) => (pod.metadata.deletionTimestamp === undefined ? { kind: "remove", pod } : { kind: "wait" }));
}

function isRolling({ set }: StatefulSetSnapshot): boolean {
  return set.spec.updateStrategy?.type !== "OnDelete";
}

/** Returns pods of an old template, highest ordinal first, up to the allowed unavailability. */
function updates(view: StatefulSetSnapshot): readonly StatefulSetAction[] {
  const { set, pods } = view;
  if (!isRolling(view)) return [];
  const { maxUnavailable } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const may = Math.max(1, scaledValueOf(maxUnavailable ?? 1, set.spec.replicas ?? 1, "up"));
  const inRange = pods
    .filter((pod) => (ordinalOf(set, pod) ?? -1) >= partitionOf(set))
    .toSorted((a, b) => (ordinalOf(set, b) ?? 0) - (ordinalOf(set, a) ?? 0));
  const steps: StatefulSetAction[] = [];
  let missing = 0;
  for (const pod of inRange) {
    if (missing >= may) break;
    const isGoing = pod.metadata.deletionTimestamp !== undefined;
    if (!isGoing && revisionOfPod(pod) !== view.update) steps.push({ kind: "remove", pod });
    if (isGoing || revisionOfPod(pod) !== view.update || !isAvailable(view, pod)) missing++;
  }
  return steps;
}

function partitionOf(set: StatefulSet): number {
  return (set.spec.ordinals?.start ?? 0) + (set.spec.updateStrategy?.rollingUpdate?.partition ?? 0);
}

function revisionFor({ set, current, update }: StatefulSetSnapshot, ordinal: number): string {
  const isRollingUpdate = set.spec.updateStrategy?.type !== "OnDelete";
  return isRollingUpdate && ordinal < partitionOf(set) ? current : update;
}

function isAvailable({ set, now }: StatefulSetSnapshot, pod: Pod): boolean {
  return msUntilAvailable(pod, set.spec.minReadySeconds ?? 0, now) === 0;
}

/** Returns the status of a stateful set. A completed rollout makes the update revision current. */
export function statefulSetStatus(view: StatefulSetSnapshot): NonNullable<StatefulSet["status"]> {
  const { set, pods, current, update } = view;
  const there = pods.filter((pod) => !isPodFinished(pod));
  const alive = there.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const of = (revision: string): number => alive.filter((pod) => revisionOfPod(pod) === revision).length;
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
