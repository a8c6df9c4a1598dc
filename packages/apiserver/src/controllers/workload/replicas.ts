import { byWorth, isActive, isPodReady, msUntilAvailable } from "./pod.ts";
import type { Pod } from "./pod.ts";

/** How many pods a set of equal pods has. */
export interface ReplicaCounts {
  readonly replicas: number;
  readonly ready: number;
  readonly available: number;
  readonly terminating: number;
  /** Milliseconds until one more counts as available; undefined when none is about to. */
  readonly nextAvailableMs: number | undefined;
}

/** Counts the pods of a set. */
export function countReplicas(pods: readonly Pod[], minReadySeconds: number, now: number): ReplicaCounts {
  const active = pods.filter(isActive);
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

/** What brings a set to its wanted number of pods. */
export interface ReplicaPlan {
  readonly create: number;
  readonly remove: readonly Pod[];
}

/** Decides how to come to `wanted` pods; what is worth least goes first. */
export function planReplicas(pods: readonly Pod[], wanted: number): ReplicaPlan {
  const active = pods.filter(isActive);
  if (active.length <= wanted) return { create: wanted - active.length, remove: [] };
  return { create: 0, remove: active.toSorted(byWorth).slice(0, active.length - wanted) };
}

/** A count as status shows it: nothing instead of zero. */
export function positive(field: string, count: number): Readonly<Record<string, number>> {
  return count === 0 ? {} : { [field]: count };
}
