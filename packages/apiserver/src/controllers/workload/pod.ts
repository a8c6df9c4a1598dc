import { Pod as PodKind } from "@levelset/core";
import type { KubeObject, ObjectOf } from "@levelset/core";
import { conditionOf, isTrue } from "./condition.ts";

/** A pod as the server keeps it. */
export type Pod = ObjectOf<typeof PodKind>;

/** The kind of pods. */
export const PodResource: typeof PodKind = PodKind;

/** Whether a pod has ended for good. */
export function isFinished(pod: Pod): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** Whether a pod still counts: neither ended nor about to go. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Whether a pod takes requests. */
export function isPodReady(pod: Pod): boolean {
  return isTrue(pod.status?.conditions, "Ready");
}

/** Milliseconds until a ready pod counts as available: 0 when it does; undefined while it is not ready. */
export function msUntilAvailable(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  if (!isPodReady(pod)) return undefined;
  const since = conditionOf(pod.status?.conditions, "Ready")?.lastTransitionTime;
  if (minReadySeconds === 0 || since === undefined || since === null) return 0;
  return Math.max(0, Date.parse(since) + minReadySeconds * 1000 - now);
}

/** How often the containers of a pod were restarted. */
export function restartsOf(pod: Pod): number {
  return (pod.status?.containerStatuses ?? []).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
}

/** Orders pods by how little is lost with them: those to delete first come first. */
export function byWorth(a: Pod, b: Pod): number {
  for (const rank of RANKS) {
    const difference = rank(a) - rank(b);
    if (difference !== 0) return difference;
  }
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** Each gives a smaller number to a pod that is worth less. */
const RANKS: readonly ((pod: Pod) => number)[] = [
  (pod) => ((pod.spec?.nodeName ?? "") === "" ? 0 : 1),
  (pod) => PHASES[pod.status?.phase ?? "Pending"] ?? 0,
  (pod) => (isPodReady(pod) ? 1 : 0),
  (pod) => Number(pod.metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"] ?? 0) || 0,
  (pod) => -timeOf(conditionOf(pod.status?.conditions, "Ready")?.lastTransitionTime),
  (pod) => -restartsOf(pod),
  (pod) => -timeOf(pod.metadata.creationTimestamp),
];

function timeOf(time: string | null | undefined): number {
  return time === undefined || time === null ? 0 : Date.parse(time);
}

/** Oldest first; by name among those of the same second. */
export function byAge(a: KubeObject, b: KubeObject): number {
  const difference = timeOf(a.metadata.creationTimestamp) - timeOf(b.metadata.creationTimestamp);
  if (difference !== 0) return difference;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
