import type { KubeObject } from "../object/index.ts";
import {
  findRawCondition,
  numberField,
  failedByCondition,
  recordField,
  progressingWith,
  readyWith,
  stringField,
  conditionMessage,
} from "./readiness.ts";
import type { Readiness } from "./readiness.ts";

/** Deployments: all replicas have the latest template and are available, and none of another template are left. */
export function deploymentReadiness(object: KubeObject): Readiness {
  const [spec, status] = [recordField(object, "spec"), recordField(object, "status")];
  const progress = findRawCondition(object, "Progressing");
  if (progress?.["reason"] === "ProgressDeadlineExceeded") return failedByCondition(progress);
  const desired = numberField(spec, "replicas", 1);
  const [all, updated] = [numberField(status, "replicas"), numberField(status, "updatedReplicas")];
  const ready = numberField(status, "readyReplicas");
  // Controllers that set unavailableReplicas omit availableReplicas if it is 0. A status without either field has only
  // ready replicas.
  const available = numberField(status, "availableReplicas", status["unavailableReplicas"] === undefined ? ready : 0);
  const why = stalledReason(object);
  if (updated < desired) return progressingWith(`${updated} of ${desired} replicas updated${why}`);
  if (all > updated) return progressingWith(`${replicas(all - updated, "of an older template")} left${why}`);
  if (all > desired) return progressingWith(replicas(all - desired, "too many"));
  if (available < desired) return progressingWith(`${available} of ${desired} updated replicas available${why}`);
  if (ready < desired) return progressingWith(`${ready} of ${desired} replicas ready${why}`);
  const isAvailable = findRawCondition(object, "Available");
  if (isAvailable !== undefined && isAvailable["status"] !== "True")
    return progressingWith(conditionMessage(isAvailable));
  return readyWith(replicas(desired, "available"));
}

/** Returns the reason why a rollout does not proceed, or the empty string. */
function stalledReason(object: KubeObject): string {
  const failure = findRawCondition(object, "ReplicaFailure");
  if (failure?.["status"] === "True") return `: ${conditionMessage(failure)}`;
  return recordField(object, "spec")["paused"] === true ? ": the Deployment is paused" : "";
}

/** ReplicaSets and ReplicationControllers: all replicas are labelled, ready and available. */
export function replicaSetReadiness(object: KubeObject): Readiness {
  const [spec, status] = [recordField(object, "spec"), recordField(object, "status")];
  const failure = findRawCondition(object, "ReplicaFailure");
  if (failure?.["status"] === "True") return progressingWith(conditionMessage(failure));
  const desired = numberField(spec, "replicas", 1);
  const [all, ready, available] = [
    numberField(status, "replicas"),
    numberField(status, "readyReplicas"),
    numberField(status, "availableReplicas"),
  ];
  if (numberField(status, "fullyLabeledReplicas") < desired)
    return progressingWith(`${all} of ${desired} replicas created`);
  if (available < desired) return progressingWith(`${available} of ${desired} replicas available`);
  if (ready < desired) return progressingWith(`${ready} of ${desired} replicas ready`);
  if (all > desired) return progressingWith(replicas(all - desired, "too many"));
  return readyWith(replicas(desired, "available"));
}

/** StatefulSets: all replicas are ready, and those above the partition have the latest revision. */
export function statefulSetReadiness(object: KubeObject): Readiness {
  const [spec, status] = [recordField(object, "spec"), recordField(object, "status")];
  const desired = numberField(spec, "replicas", 1);
  const [all, ready, updated] = [
    numberField(status, "replicas"),
    numberField(status, "readyReplicas"),
    numberField(status, "updatedReplicas"),
  ];
  if (all < desired) return progressingWith(`${all} of ${desired} replicas created`);
  if (ready < desired) return progressingWith(`${ready} of ${desired} replicas ready`);
  const available = numberField(status, "availableReplicas", ready);
  if (available < desired) return progressingWith(`${available} of ${desired} replicas available`);
  if (all > desired) return progressingWith(replicas(all - desired, "too many"));
  const strategy = recordField(spec, "updateStrategy");
  // OnDelete: a person deletes the pods to update them.
  if (strategy["type"] === "OnDelete") return readyWith(replicas(desired, "ready"));
  const partition = numberField(recordField(strategy, "rollingUpdate"), "partition");
  const due = Math.max(0, desired - partition);
  if (updated < due) return progressingWith(`${updated} of ${due} replicas updated`);
  const isRolledOut = stringField(status, "currentRevision") === stringField(status, "updateRevision");
  if (partition === 0 && !isRolledOut && desired > 0) return progressingWith("the old revision is still current");
  return readyWith(replicas(desired, "ready"));
}

/** DaemonSets: every scheduled node has an updated, available pod. */
export function daemonSetReadiness(object: KubeObject): Readiness {
  const [spec, status] = [recordField(object, "spec"), recordField(object, "status")];
  if (status["desiredNumberScheduled"] === undefined) return progressingWith("not observed yet");
  const desired = numberField(status, "desiredNumberScheduled");
  const [scheduled, updated] = [
    numberField(status, "currentNumberScheduled"),
    numberField(status, "updatedNumberScheduled"),
  ];
  const [available, ready] = [numberField(status, "numberAvailable"), numberField(status, "numberReady")];
  if (scheduled < desired) return progressingWith(`${scheduled} of ${desired} pods scheduled`);
  if (recordField(spec, "updateStrategy")["type"] !== "OnDelete" && updated < desired) {
    return progressingWith(`${updated} of ${desired} pods updated`);
  }
  if (available < desired) return progressingWith(`${available} of ${desired} pods available`);
  if (ready < desired) return progressingWith(`${ready} of ${desired} pods ready`);
  return readyWith(`${desired} pods available`);
}

/** Jobs: complete. A suspended Job is progressing. */
export function jobReadiness(object: KubeObject): Readiness {
  const failure = findRawCondition(object, "Failed");
  if (failure?.["status"] === "True") return failedByCondition(failure);
  if (findRawCondition(object, "Complete")?.["status"] === "True") return readyWith("complete");
  const [spec, status] = [recordField(object, "spec"), recordField(object, "status")];
  if (spec["suspend"] === true) return progressingWith("suspended");
  if (status["startTime"] === undefined) return progressingWith("not started yet");
  const [succeeded, desired] = [numberField(status, "succeeded"), numberField(spec, "completions", 1)];
  return progressingWith(`${succeeded} of ${desired} pods succeeded, ${numberField(status, "active")} active`);
}

function replicas(number: number, state: string): string {
  return `${number} ${number === 1 ? "replica" : "replicas"} ${state}`;
}
