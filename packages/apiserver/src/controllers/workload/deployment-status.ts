import { conditionOf } from "./condition.ts";
import { positive } from "./replicas.ts";
import { limitsOf, sizeOf, wantedOf } from "./rollout.ts";
import type { Deployment, Generations, ReplicaSet } from "./rollout.ts";

type Status = NonNullable<Deployment["status"]>;
type Condition = NonNullable<Status["conditions"]>[number];

/** What is new about a deployment besides its counts. */
export type Progress =
  | { readonly kind: "created"; readonly name: string }
  | { readonly kind: "found"; readonly name: string }
  | { readonly kind: "none" };

/** No deadline is as good as one that never comes. */
const NO_DEADLINE = 2 ** 31 - 1;

/** Whether somebody waits for a deployment to progress. */
export function hasDeadline(deployment: Deployment): boolean {
  const { progressDeadlineSeconds } = deployment.spec;
  return progressDeadlineSeconds !== undefined && progressDeadlineSeconds !== NO_DEADLINE;
}

/** The status of a deployment with these replica sets at this moment. Times are kept where nothing has changed. */
export function deploymentStatus(deployment: Deployment, generations: Generations, now: string): Status {
  const counted = countedStatus(deployment, generations);
  const available = availability(deployment, counted.availableReplicas ?? 0);
  const conditions = setCondition(deployment.status?.conditions ?? [], available, now);
  return {
    ...counted,
    conditions: withFailure(withProgress(deployment, counted, conditions, generations, now), generations),
  };
}

/** The status of a deployment that is paused or being scaled: no progress is looked for. */
export function scaledStatus(deployment: Deployment, generations: Generations, now: string): Status {
  const counted = countedStatus(deployment, generations);
  const available = availability(deployment, counted.availableReplicas ?? 0);
  return { ...counted, conditions: setCondition(deployment.status?.conditions ?? [], available, now) };
}

function countedStatus(deployment: Deployment, { present, old }: Generations): Status {
  const sets = present === undefined ? old : [...old, present];
  const sum = (count: (set: ReplicaSet) => number | undefined): number =>
    sets.reduce((total, set) => total + (count(set) ?? 0), 0);
  const available = sum((set) => set.status?.availableReplicas);
  const { collisionCount } = deployment.status ?? {};
  return {
    ...(deployment.metadata.generation === undefined ? {} : { observedGeneration: deployment.metadata.generation }),
    ...positive(
      "replicas",
      sum((set) => set.status?.replicas),
    ),
    ...positive("updatedReplicas", present?.status?.replicas ?? 0),
    ...positive(
      "readyReplicas",
      sum((set) => set.status?.readyReplicas),
    ),
    ...positive("availableReplicas", available),
    ...positive("unavailableReplicas", Math.max(0, sum(sizeOf) - available)),
    terminatingReplicas: sum((set) => set.status?.terminatingReplicas),
    ...(collisionCount === undefined ? {} : { collisionCount }),
  };
}

interface Said {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

function availability(deployment: Deployment, available: number): Said {
  const isAvailable = available >= wantedOf(deployment) - limitsOf(deployment).unavailable;
  return {
    type: "Available",
    status: isAvailable ? "True" : "False",
    reason: isAvailable ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
    message: isAvailable ? "Deployment has minimum availability." : "Deployment does not have minimum availability.",
  };
}

/** The conditions with this one said; nothing happens where status and reason are as before. It moves to the end otherwise. */
export function setCondition(conditions: readonly Condition[], said: Said, now: string): readonly Condition[] {
  const before = conditionOf(conditions, said.type);
  if (before?.status === said.status && before.reason === said.reason) return conditions;
  const since = before?.status === said.status ? before.lastTransitionTime : now;
  const next: Condition = {
    ...said,
    lastUpdateTime: now,
    ...(since === undefined ? {} : { lastTransitionTime: since }),
  };
  return [...conditions.filter(({ type }) => type !== said.type), next];
}

function progressing(status: "True" | "False", reason: string, message: string): Said {
  return { type: "Progressing", status, reason, message };
}

/** The condition that a new, or newly found, replica set gives a deployment. */
export function begun(conditions: readonly Condition[], progress: Progress, now: string): readonly Condition[] {
  if (progress.kind === "none") return conditions;
  const said =
    progress.kind === "created"
      ? progressing("True", "NewReplicaSetCreated", `Created new replica set ${JSON.stringify(progress.name)}`)
      : progressing("True", "FoundNewReplicaSet", `Found new replica set ${JSON.stringify(progress.name)}`);
  return setCondition(conditions, said, now);
}

function withProgress(
  deployment: Deployment,
  next: Status,
  conditions: readonly Condition[],
  { present }: Generations,
  now: string,
): readonly Condition[] {
  if (!hasDeadline(deployment)) return conditions.filter(({ type }) => type !== "Progressing");
  const current = conditionOf(conditions, "Progressing");
  const isDone = (next.replicas ?? 0) === (next.updatedReplicas ?? 0) && current?.reason === "NewReplicaSetAvailable";
  if (isDone) return conditions;
  const subject =
    present === undefined
      ? `Deployment ${JSON.stringify(deployment.metadata.name)}`
      : `ReplicaSet ${JSON.stringify(present.metadata.name)}`;
  if (isComplete(deployment, next)) {
    return setCondition(
      conditions,
      progressing("True", "NewReplicaSetAvailable", `${subject} has successfully progressed.`),
      now,
    );
  }
  if (hasProgressed(deployment.status ?? {}, next)) {
    const others = conditions.filter(({ type }) => type !== "Progressing");
    const since = current?.status === "True" ? current.lastTransitionTime : now;
    const said = progressing("True", "ReplicaSetUpdated", `${subject} is progressing.`);
    return [...others, { ...said, lastUpdateTime: now, ...(since === undefined ? {} : { lastTransitionTime: since }) }];
  }
  const left = msUntilDeadline(deployment, current, now);
  if (left === undefined || left > 0) return conditions;
  return setCondition(
    conditions,
    progressing("False", "ProgressDeadlineExceeded", `${subject} has timed out progressing.`),
    now,
  );
}

/** Whether every pod is of the present template and available, and none is left of another. */
export function isComplete(deployment: Deployment, status: Status): boolean {
  const wanted = wantedOf(deployment);
  return (
    (status.updatedReplicas ?? 0) === wanted &&
    (status.replicas ?? 0) === wanted &&
    (status.availableReplicas ?? 0) === wanted &&
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

/** Milliseconds until a deployment that makes no progress has failed; undefined where none is awaited. */
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

/** The failure of a replica set is its deployment's too; that of the present one first. */
function withFailure(conditions: readonly Condition[], { present, old }: Generations): readonly Condition[] {
  const others = conditions.filter(({ type }) => type !== "ReplicaFailure");
  const sets = present === undefined ? old : [present, ...old];
  const failed = sets
    .map((set) => conditionOf(set.status?.conditions, "ReplicaFailure"))
    .find((found) => found !== undefined);
  if (failed === undefined) return others;
  const { lastTransitionTime } = failed;
  const times = lastTransitionTime === undefined ? {} : { lastTransitionTime, lastUpdateTime: lastTransitionTime };
  return [
    ...others,
    { type: failed.type, status: failed.status, reason: failed.reason ?? "", message: failed.message ?? "", ...times },
  ];
}
