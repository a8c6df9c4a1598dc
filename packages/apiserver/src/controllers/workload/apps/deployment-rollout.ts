import type { Deployment as DeploymentKind, ObjectOf, ReplicaSet as ReplicaSetKind } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import { resolveFenceposts } from "../int-or-percent.ts";
import { compareByCreationTime } from "../pod/pod.ts";

/** A stored deployment. */
export type Deployment = ObjectOf<typeof DeploymentKind>;

/** A stored replica set. */
export type ReplicaSet = ObjectOf<typeof ReplicaSetKind>;

/** Label that identifies the template of a replica set in its deployment. */
export const POD_TEMPLATE_HASH_LABEL: string = "pod-template-hash";
/** Revision number of a template. */
export const REVISION_ANNOTATION: string = "deployment.kubernetes.io/revision";
/** Earlier revisions of a replica set that is in use again. */
export const REVISION_HISTORY_ANNOTATION: string = "deployment.kubernetes.io/revision-history";
/** Desired replicas of the deployment when it last updated this replica set. */
export const DESIRED_REPLICAS_ANNOTATION: string = "deployment.kubernetes.io/desired-replicas";
/** Maximum replicas of the deployment, including surge. */
export const MAX_REPLICAS_ANNOTATION: string = "deployment.kubernetes.io/max-replicas";

/** Replica sets of a deployment: that of the current template, if it exists, and the others, oldest first. */
export interface DeploymentReplicaSets {
  readonly newReplicaSet: ReplicaSet | undefined;
  readonly oldReplicaSets: readonly ReplicaSet[];
}

/** New sizes of replica sets by name. */
export type ReplicaSetSizes = ReadonlyMap<string, number>;

/** Returns the desired replicas of a replica set. */
export function replicasOf(set: ReplicaSet | undefined): number {
  return set?.spec?.replicas ?? 0;
}

/** Returns the desired replicas of a deployment. */
export function desiredReplicasOf(deployment: Deployment): number {
  return deployment.spec.replicas ?? 1;
}

/** Returns the maximum surge and unavailability of a deployment as counts. */
export function surgeAndUnavailableOf(deployment: Deployment): {
  readonly surge: number;
  readonly unavailable: number;
} {
  const { strategy } = deployment.spec;
  if (strategy?.type === "Recreate") return { surge: 0, unavailable: 0 };
  const { maxSurge = "25%", maxUnavailable = "25%" } = strategy?.rollingUpdate ?? {};
  const desired = desiredReplicasOf(deployment);
  const { surge, unavailable } = resolveFenceposts(maxSurge, maxUnavailable, desired);
  return { surge, unavailable: Math.min(unavailable, desired) };
}

/** Separates the replica set of the current template; the oldest if there are several. */
export function groupReplicaSets(deployment: Deployment, sets: readonly ReplicaSet[]): DeploymentReplicaSets {
  const sorted = sets.toSorted(compareByCreationTime);
  const present = sorted.find((set) => equalsIgnoringHash(set, deployment.spec.template));
  return { newReplicaSet: present, oldReplicaSets: sorted.filter((set) => set !== present) };
}

/** Whether a replica set has this template, ignoring the hash label. */
export function equalsIgnoringHash(set: ReplicaSet, template: Deployment["spec"]["template"]): boolean {
  return deepEqual(withoutHash(set.spec?.template), withoutHash(template));
}

type AnyTemplate = { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } } | undefined;

function withoutHash(template: AnyTemplate): unknown {
  const { [POD_TEMPLATE_HASH_LABEL]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}

/** Returns the revision of a replica set; 0 if it has none. */
export function deploymentRevisionOf(set: ReplicaSet): number {
  return Number(set.metadata.annotations?.[REVISION_ANNOTATION] ?? 0) || 0;
}

/** Whether the desired replicas of a deployment changed since its replica sets were last updated. */
export function isScalingEvent(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  return sets.some((set) => {
    const desired = set.metadata.annotations?.[DESIRED_REPLICAS_ANNOTATION];
    return replicasOf(set) > 0 && desired !== undefined && Number(desired) !== desiredReplicasOf(deployment);
  });
}

/** Returns the initial size of a new replica set, or the size to which it may grow now. */
export function newReplicaSetReplicas(
  deployment: Deployment,
  { newReplicaSet, oldReplicaSets }: DeploymentReplicaSets,
): number {
  const desired = desiredReplicasOf(deployment);
  const size = replicasOf(newReplicaSet);
  if (deployment.spec.strategy?.type === "Recreate") return desired;
  if (size >= desired) return desired;
  const total = oldReplicaSets.reduce((sum, set) => sum + replicasOf(set), size);
  const room = desired + surgeAndUnavailableOf(deployment).surge - total;
  return room <= 0 ? size : Math.min(size + room, desired);
}

/** Returns the next step of a rolling update: grows the current replica set, then shrinks the old ones. */
export function rollingUpdateSizes(deployment: Deployment, generations: DeploymentReplicaSets): ReplicaSetSizes {
  const { newReplicaSet, oldReplicaSets } = generations;
  if (newReplicaSet === undefined) return new Map();
  const grown = newReplicaSetReplicas(deployment, generations);
  if (grown !== replicasOf(newReplicaSet)) return new Map([[newReplicaSet.metadata.name, grown]]);
  return shrunkSizes(deployment, newReplicaSet, oldReplicaSets);
}

/** Shrinks old replica sets: unavailable pods first, then up to the allowed unavailability. */
function shrunkSizes(deployment: Deployment, present: ReplicaSet, old: readonly ReplicaSet[]): ReplicaSetSizes {
  const minimum = desiredReplicasOf(deployment) - surgeAndUnavailableOf(deployment).unavailable;
  const total = old.reduce((sum, set) => sum + replicasOf(set), replicasOf(present));
  const unavailableNew = replicasOf(present) - availableOf(present);
  let mayGo = total - minimum - unavailableNew;
  const sizes = new Map(old.map((set) => [set.metadata.name, replicasOf(set)]));
  for (const set of old) {
    if (mayGo <= 0) break;
    const unhealthy = Math.max(0, Math.min(mayGo, replicasOf(set) - availableOf(set)));
    sizes.set(set.metadata.name, replicasOf(set) - unhealthy);
    mayGo -= unhealthy;
  }
  if (total - minimum - unavailableNew <= 0) return new Map();
  const available = old.reduce((sum, set) => sum + availableOf(set), availableOf(present));
  let spare = available - minimum;
  for (const set of old) {
    const size = sizes.get(set.metadata.name) ?? 0;
    const gone = Math.max(0, Math.min(size, spare));
    sizes.set(set.metadata.name, size - gone);
    spare -= gone;
  }
  return new Map(
    [...sizes].filter(([name, size]) => size !== replicasOf(old.find((set) => set.metadata.name === name))),
  );
}

function availableOf(set: ReplicaSet): number {
  return set.status?.availableReplicas ?? 0;
}

/** Returns the sizes after a change of desired replicas, or while paused: active sets are scaled proportionally. */
export function sizesAfterScaling(
  deployment: Deployment,
  { newReplicaSet, oldReplicaSets }: DeploymentReplicaSets,
): ReplicaSetSizes {
  const desired = desiredReplicasOf(deployment);
  const all = newReplicaSet === undefined ? oldReplicaSets : [...oldReplicaSets, newReplicaSet];
  const active = all.filter((set) => replicasOf(set) > 0);
  const only = active.length > 1 ? undefined : (active[0] ?? newReplicaSet ?? all.at(-1));
  if (only !== undefined) return replicasOf(only) === desired ? new Map() : new Map([[only.metadata.name, desired]]);
  if (active.length === 0) return new Map();
  if (newReplicaSet !== undefined && isSaturated(deployment, newReplicaSet)) {
    return new Map(oldReplicaSets.filter((set) => replicasOf(set) > 0).map((set) => [set.metadata.name, 0]));
  }
  if (deployment.spec.strategy?.type === "Recreate") return new Map();
  return proportionalSizes(deployment, active);
}

function isSaturated(deployment: Deployment, present: ReplicaSet): boolean {
  const desired = desiredReplicasOf(deployment);
  return (
    replicasOf(present) === desired &&
    Number(present.metadata.annotations?.[DESIRED_REPLICAS_ANNOTATION]) === desired &&
    availableOf(present) === desired
  );
}

function proportionalSizes(deployment: Deployment, active: readonly ReplicaSet[]): ReplicaSetSizes {
  const desired = desiredReplicasOf(deployment);
  const allowed = desired > 0 ? desired + surgeAndUnavailableOf(deployment).surge : 0;
  const change = allowed - active.reduce((sum, set) => sum + replicasOf(set), 0);
  if (change === 0) return new Map(active.map((set) => [set.metadata.name, replicasOf(set)]));
  // Among sets of equal size, newer ones grow first and older ones shrink first.
  const newest = change > 0 ? 1 : -1;
  const sorted = active.toSorted((a, b) => replicasOf(b) - replicasOf(a) || newest * compareByCreationTime(b, a));
  let given = 0;
  const sizes = new Map<string, number>();
  for (const set of sorted) {
    const share = shareOf(set, deployment, allowed);
    const left = change - given;
    const part = change > 0 ? Math.max(0, Math.min(share, left)) : Math.min(0, Math.max(share, left));
    sizes.set(set.metadata.name, replicasOf(set) + part);
    given += part;
  }
  const [largest] = sorted;
  if (largest !== undefined) {
    const { name } = largest.metadata;
    sizes.set(name, Math.max(0, (sizes.get(name) ?? 0) + change - given));
  }
  return sizes;
}

/** Returns the proportional change of a set. */
function shareOf(set: ReplicaSet, deployment: Deployment, allowed: number): number {
  if (desiredReplicasOf(deployment) === 0) return -replicasOf(set);
  const before = Number(set.metadata.annotations?.[MAX_REPLICAS_ANNOTATION]) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return Math.round((replicasOf(set) * allowed) / before) - replicasOf(set);
}
