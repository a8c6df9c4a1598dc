import { compareForDeletion, isPodActive, isPodReady, msUntilAvailable } from "../pod/pod.ts";
import type { Pod } from "../pod/pod.ts";

/** Pod counts of a replica set. */
export interface ReplicaCounts {
  readonly replicas: number;
  readonly ready: number;
  readonly available: number;
  readonly terminating: number;
  /** Milliseconds until the next pod becomes available; undefined if there is none. */
  readonly nextAvailableMs: number | undefined;
}

/** Counts the pods of a set. */
export function countReplicas(pods: readonly Pod[], minReadySeconds: number, now: number): ReplicaCounts {
  const active = pods.filter(isPodActive);
  const waits = active.map((pod) => msUntilAvailable(pod, minReadySeconds, now));
  const coming = waits.filter((ms) => ms !== undefined && ms > 0).map(Number);
  return {
    replicas: active.length,
    ready: active.filter(isPodReady).length,
    available: waits.filter((ms) => ms === 0).length,
    terminating: pods.filter((pod) => pod.metadata.deletionTimestamp !== undefined).length,
    nextAvailableMs: coming.length === 0 ? undefined : Math.min(...coming),
  };
}

/** Pods to create and delete to reach the desired number. */
export interface ReplicaPlan {
  readonly create: number;
  readonly remove: readonly Pod[];
}

/** Decides how to reach `desired` pods; the least valuable pods are deleted first. */
export function planReplicas(pods: readonly Pod[], desired: number): ReplicaPlan {
  const active = pods.filter(isPodActive);
  if (active.length <= desired) return { create: desired - active.length, remove: [] };
  return { create: 0, remove: active.toSorted(compareForDeletion).slice(0, active.length - desired) };
}

/** Returns a status field, omitted if the count is zero. */
export function omitZero(field: string, count: number): Readonly<Record<string, number>> {
  return count === 0 ? {} : { [field]: count };
}
