import { getWorkloadCondition } from "../workload-condition.ts";
import { omitZero } from "./replicas.ts";
import { surgeAndUnavailableOf, replicasOf, desiredReplicasOf } from "./deployment-rollout.ts";
import type { Deployment, DeploymentReplicaSets, ReplicaSet } from "./deployment-rollout.ts";

type Status = NonNullable<Deployment["status"]>;
type Condition = NonNullable<Status["conditions"]>[number];

/** Result of the lookup of the new replica set. */
export type NewReplicaSetState =
  | { readonly kind: "created"; readonly name: string }
  | { readonly kind: "found"; readonly name: string }
  | { readonly kind: "none" };

/**
 * The API represents a disabled progress deadline by MaxInt32 (`pkg/controller/deployment/util/deployment_util.go`,
 * Kubernetes 1.36).
 */
const NO_DEADLINE = 2 ** 31 - 1;

/** Whether a deployment has a progress deadline. */
export function hasDeadline(deployment: Deployment): boolean {
  const { progressDeadlineSeconds } = deployment.spec;
  return progressDeadlineSeconds !== undefined && progressDeadlineSeconds !== NO_DEADLINE;
}

/** Returns the status of a deployment with these replica sets. Unchanged conditions keep the transition time. */
export function deploymentStatus(deployment: Deployment, generations: DeploymentReplicaSets, now: string): Status {
  const counted = countedStatus(deployment, generations);
  const available = availability(deployment, counted.availableReplicas ?? 0);
  const conditions = setDeploymentCondition(deployment.status?.conditions ?? [], available, now);
  return {
    ...counted,
    conditions: withFailure(withProgress(deployment, counted, conditions, generations, now), generations),
  };
}

/** Returns the status of a deployment that is paused or being scaled, without an update of Progressing. */
export function statusWhileScaling(deployment: Deployment, generations: DeploymentReplicaSets, now: string): Status {
  const counted = countedStatus(deployment, generations);
  const available = availability(deployment, counted.availableReplicas ?? 0);
  return { ...counted, conditions: setDeploymentCondition(deployment.status?.conditions ?? [], available, now) };
}

function countedStatus(deployment: Deployment, { newReplicaSet, oldReplicaSets }: DeploymentReplicaSets): Status {
  const sets = newReplicaSet === undefined ? oldReplicaSets : [...oldReplicaSets, newReplicaSet];
  const sum = (count: (set: ReplicaSet) => number | undefined): number =>
    sets.reduce((total, set) => total + (count(set) ?? 0), 0);
  const available = sum((set) => set.status?.availableReplicas);
  const { collisionCount } = deployment.status ?? {};
  return {
    ...(deployment.metadata.generation === undefined ? {} : { observedGeneration: deployment.metadata.generation }),
    ...omitZero(
      "replicas",
      sum((set) => set.status?.replicas),
    ),
    ...omitZero("updatedReplicas", newReplicaSet?.status?.replicas ?? 0),
    ...omitZero(
      "readyReplicas",
      sum((set) => set.status?.readyReplicas),
    ),
    ...omitZero("availableReplicas", available),
    ...omitZero("unavailableReplicas", Math.max(0, sum(replicasOf) - available)),
    terminatingReplicas: sum((set) => set.status?.terminatingReplicas),
    ...(collisionCount === undefined ? {} : { collisionCount }),
  };
}

interface DeploymentConditionUpdate {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

function availability(deployment: Deployment, available: number): DeploymentConditionUpdate {
  const isAvailable = available >= desiredReplicasOf(deployment) - surgeAndUnavailableOf(deployment).unavailable;
  return {
    type: "Available",
    status: isAvailable ? "True" : "False",
    reason: isAvailable ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
    message: isAvailable ? "Deployment has minimum availability." : "Deployment does not have minimum availability.",
  };
}

/** Sets a condition. No change if status and reason are the same; otherwise the condition moves to the end. */
export function setDeploymentCondition(
  conditions: readonly Condition[],
  update: DeploymentConditionUpdate,
  now: string,
): readonly Condition[] {
  const before = getWorkloadCondition(conditions, update.type);
  if (before?.status === update.status && before.reason === update.reason) return conditions;
  const since = before?.status === update.status ? before.lastTransitionTime : now;
  const next: Condition = {
    ...update,
    lastUpdateTime: now,
    ...(since === undefined ? {} : { lastTransitionTime: since }),
  };
  return [...conditions.filter(({ type }) => type !== update.type), next];
}

function progressing(status: "True" | "False", reason: string, message: string): DeploymentConditionUpdate {
  return { type: "Progressing", status, reason, message };
}

/** Returns the Progressing condition for a new or found replica set. */
export function progressingCondition(
  conditions: readonly Condition[],
  progress: NewReplicaSetState,
  now: string,
): readonly Condition[] {
  if (progress.kind === "none") return conditions;
  const update =
    progress.kind === "created"
      ? progressing("True", "NewReplicaSetCreated", `Created new replica set ${JSON.stringify(progress.name)}`)
      : progressing("True", "FoundNewReplicaSet", `Found new replica set ${JSON.stringify(progress.name)}`);
  return setDeploymentCondition(conditions, update, now);
}

function withProgress(
  deployment: Deployment,
  next: Status,
  conditions: readonly Condition[],
  { newReplicaSet }: DeploymentReplicaSets,
  now: string,
): readonly Condition[] {
  if (!hasDeadline(deployment)) return conditions.filter(({ type }) => type !== "Progressing");
  const current = getWorkloadCondition(conditions, "Progressing");
  const isDone = (next.replicas ?? 0) === (next.updatedReplicas ?? 0) && current?.reason === "NewReplicaSetAvailable";
  if (isDone) return conditions;
  const subject =
    newReplicaSet === undefined
      ? `Deployment ${JSON.stringify(deployment.metadata.name)}`
      : `ReplicaSet ${JSON.stringify(newReplicaSet.metadata.name)}`;
  if (isComplete(deployment, next)) {
    return setDeploymentCondition(
      conditions,
      progressing("True", "NewReplicaSetAvailable", `${subject} has successfully progressed.`),
      now,
    );
  }
  if (hasProgressed(deployment.status ?? {}, next)) {
    const others = conditions.filter(({ type }) => type !== "Progressing");
    const since = current?.status === "True" ? current.lastTransitionTime : now;
    const update = progressing("True", "ReplicaSetUpdated", `${subject} is progressing.`);
    return [
      ...others,
      { ...update, lastUpdateTime: now, ...(since === undefined ? {} : { lastTransitionTime: since }) },
    ];
  }
  const left = msUntilDeadline(deployment, current, now);
  if (left === undefined || left > 0) return conditions;
  return setDeploymentCondition(
    conditions,
    progressing("False", "ProgressDeadlineExceeded", `${subject} has timed out progressing.`),
    now,
  );
}

/** Whether all pods are of the current template and available, and no old pods are left. */
export function isComplete(deployment: Deployment, status: Status): boolean {
  const desired = desiredReplicasOf(deployment);
  return (
    (status.updatedReplicas ?? 0) === desired &&
    (status.replicas ?? 0) === desired &&
    (status.availableReplicas ?? 0) === desired &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

function hasProgressed(before: Status, next: Status): boolean {
  const oldPods = (status: Status): number => (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  return (
    (next.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    oldPods(next) < oldPods(before) ||
    (next.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (next.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

/** Returns the milliseconds until the progress deadline; undefined if there is none. */
export function msUntilDeadline(
  deployment: Deployment,
  current: Condition | undefined,
  now: string,
): number | undefined {
  const { progressDeadlineSeconds = 0 } = deployment.spec;
  if (typeof current?.lastUpdateTime !== "string" || current.reason === "NewReplicaSetAvailable") return undefined;
  if (current.reason === "ProgressDeadlineExceeded" || current.reason === "DeploymentPaused") return undefined;
  return Date.parse(current.lastUpdateTime) + progressDeadlineSeconds * 1000 - Date.parse(now);
}

/** Copies the failure of a replica set to its deployment; that of the current set first. */
function withFailure(
  conditions: readonly Condition[],
  { newReplicaSet, oldReplicaSets }: DeploymentReplicaSets,
): readonly Condition[] {
  const others = conditions.filter(({ type }) => type !== "ReplicaFailure");
  const sets = newReplicaSet === undefined ? oldReplicaSets : [newReplicaSet, ...oldReplicaSets];
  const failed = sets
    .map((set) => getWorkloadCondition(set.status?.conditions, "ReplicaFailure"))
    .find((found) => found !== undefined);
  if (failed === undefined) return others;
  const { lastTransitionTime } = failed;
  const times = lastTransitionTime === undefined ? {} : { lastTransitionTime, lastUpdateTime: lastTransitionTime };
  return [
    ...others,
    { type: failed.type, status: failed.status, reason: failed.reason ?? "", message: failed.message ?? "", ...times },
  ];
}
