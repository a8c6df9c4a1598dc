import { Pod as PodKind } from "@levelset/core";
import type { KubeObject, ObjectOf } from "@levelset/core";
import { getWorkloadCondition, isWorkloadConditionTrue } from "../workload-condition.ts";

/** A stored pod. */
export type Pod = ObjectOf<typeof PodKind>;

/** The pod kind. */
export const POD_KIND: typeof PodKind = PodKind;

/** Whether a pod has succeeded or failed. */
export function isPodFinished(pod: Pod): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** Whether a pod is neither finished nor terminating. */
export function isPodActive(pod: Pod): boolean {
  return !isPodFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Whether a pod is ready. */
export function isPodReady(pod: Pod): boolean {
  return isWorkloadConditionTrue(pod.status?.conditions, "Ready");
}

/** Returns the milliseconds until a ready pod is available: 0 if it is; undefined if it is not ready. */
export function msUntilAvailable(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  if (!isPodReady(pod)) return undefined;
  const since = getWorkloadCondition(pod.status?.conditions, "Ready")?.lastTransitionTime;
  if (minReadySeconds === 0 || since === undefined || since === null) return 0;
  return Math.max(0, Date.parse(since) + minReadySeconds * 1000 - now);
}

/** Returns the total restarts of the containers of a pod. */
export function restartsOf(pod: Pod): number {
  return (pod.status?.containerStatuses ?? []).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
}

/**
 * Orders pods for deletion, least valuable first (`ActivePodsWithRanks` in `pkg/controller/controller_utils.go`,
 * Kubernetes 1.36).
 */
export function compareForDeletion(a: Pod, b: Pod): number {
  for (const rank of RANKS) {
    const difference = rank(a) - rank(b);
    if (difference !== 0) return difference;
  }
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** Each ranks less valuable pods lower. */
const RANKS: readonly ((pod: Pod) => number)[] = [
  (pod) => ((pod.spec?.nodeName ?? "") === "" ? 0 : 1),
  (pod) => PHASES[pod.status?.phase ?? "Pending"] ?? 0,
  (pod) => (isPodReady(pod) ? 1 : 0),
  (pod) => Number(pod.metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"] ?? 0) || 0,
  (pod) => -timeOf(getWorkloadCondition(pod.status?.conditions, "Ready")?.lastTransitionTime),
  (pod) => -restartsOf(pod),
  (pod) => -timeOf(pod.metadata.creationTimestamp),
];

function timeOf(time: string | null | undefined): number {
  return time === undefined || time === null ? 0 : Date.parse(time);
}

/** Orders oldest first, then by name. */
export function compareByCreationTime(a: KubeObject, b: KubeObject): number {
  const difference = timeOf(a.metadata.creationTimestamp) - timeOf(b.metadata.creationTimestamp);
  if (difference !== 0) return difference;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
