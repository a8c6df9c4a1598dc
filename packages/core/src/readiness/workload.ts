import type { KubeObject } from "../object/index.ts";
import { conditionOf, count, failedBy, part, progressing, readyBecause, text, wordsOf } from "./readiness.ts";
import type { Readiness } from "./readiness.ts";

/** Deployments: all replicas are of the latest template and available, and none of another is left. */
export function deploymentReadiness(object: KubeObject): Readiness {
  const [spec, status] = [part(object, "spec"), part(object, "status")];
  const progress = conditionOf(object, "Progressing");
  if (progress?.["reason"] === "ProgressDeadlineExceeded") return failedBy(progress);
  const wanted = count(spec, "replicas", 1);
  const [all, updated] = [count(status, "replicas"), count(status, "updatedReplicas")];
  const ready = count(status, "readyReplicas");
  // Whoever counts the unavailable leaves the available out when there are none. A status with neither knows no such difference.
  const available = count(status, "availableReplicas", status["unavailableReplicas"] === undefined ? ready : 0);
  const why = hindrance(object);
  if (updated < wanted) return progressing(`${updated} of ${wanted} replicas updated${why}`);
  if (all > updated) return progressing(`${replicas(all - updated, "of an older template")} still there${why}`);
  if (all > wanted) return progressing(replicas(all - wanted, "too many"));
  if (available < wanted) return progressing(`${available} of ${wanted} updated replicas available${why}`);
  if (ready < wanted) return progressing(`${ready} of ${wanted} replicas ready${why}`);
  const isAvailable = conditionOf(object, "Available");
  if (isAvailable !== undefined && isAvailable["status"] !== "True") return progressing(wordsOf(isAvailable));
  return readyBecause(replicas(wanted, "available"));
}

/** What keeps a Deployment from getting on, as far as it says. */
function hindrance(object: KubeObject): string {
  const failure = conditionOf(object, "ReplicaFailure");
  if (failure?.["status"] === "True") return `: ${wordsOf(failure)}`;
  return part(object, "spec")["paused"] === true ? ": it is paused" : "";
}

/** ReplicaSets and ReplicationControllers: all replicas are labelled, ready and available. */
export function replicaSetReadiness(object: KubeObject): Readiness {
  const [spec, status] = [part(object, "spec"), part(object, "status")];
  const failure = conditionOf(object, "ReplicaFailure");
  if (failure?.["status"] === "True") return progressing(wordsOf(failure));
  const wanted = count(spec, "replicas", 1);
  const [all, ready, available] = [
    count(status, "replicas"),
    count(status, "readyReplicas"),
    count(status, "availableReplicas"),
  ];
  if (count(status, "fullyLabeledReplicas") < wanted) return progressing(`${all} of ${wanted} replicas there`);
  if (available < wanted) return progressing(`${available} of ${wanted} replicas available`);
  if (ready < wanted) return progressing(`${ready} of ${wanted} replicas ready`);
  if (all > wanted) return progressing(replicas(all - wanted, "too many"));
  return readyBecause(replicas(wanted, "available"));
}

/** StatefulSets: all replicas are ready, and those that the partition leaves free are of the latest revision. */
export function statefulSetReadiness(object: KubeObject): Readiness {
  const [spec, status] = [part(object, "spec"), part(object, "status")];
  const wanted = count(spec, "replicas", 1);
  const [all, ready, updated] = [
    count(status, "replicas"),
    count(status, "readyReplicas"),
    count(status, "updatedReplicas"),
  ];
  if (all < wanted) return progressing(`${all} of ${wanted} replicas there`);
  if (ready < wanted) return progressing(`${ready} of ${wanted} replicas ready`);
  const available = count(status, "availableReplicas", ready);
  if (available < wanted) return progressing(`${available} of ${wanted} replicas available`);
  if (all > wanted) return progressing(replicas(all - wanted, "too many"));
  const strategy = part(spec, "updateStrategy");
  // Whoever deletes pods by hand decides when they are updated.
  if (strategy["type"] === "OnDelete") return readyBecause(replicas(wanted, "ready"));
  const partition = count(part(strategy, "rollingUpdate"), "partition");
  const due = Math.max(0, wanted - partition);
  if (updated < due) return progressing(`${updated} of ${due} replicas updated`);
  const isRolledOut = text(status, "currentRevision") === text(status, "updateRevision");
  if (partition === 0 && !isRolledOut && wanted > 0) return progressing("the old revision is still current");
  return readyBecause(replicas(wanted, "ready"));
}

/** DaemonSets: every node that should has an updated, available pod. */
export function daemonSetReadiness(object: KubeObject): Readiness {
  const [spec, status] = [part(object, "spec"), part(object, "status")];
  if (status["desiredNumberScheduled"] === undefined) return progressing("not observed yet");
  const wanted = count(status, "desiredNumberScheduled");
  const [here, updated] = [count(status, "currentNumberScheduled"), count(status, "updatedNumberScheduled")];
  const [available, ready] = [count(status, "numberAvailable"), count(status, "numberReady")];
  if (here < wanted) return progressing(`${here} of ${wanted} pods there`);
  if (part(spec, "updateStrategy")["type"] !== "OnDelete" && updated < wanted) {
    return progressing(`${updated} of ${wanted} pods updated`);
  }
  if (available < wanted) return progressing(`${available} of ${wanted} pods available`);
  if (ready < wanted) return progressing(`${ready} of ${wanted} pods ready`);
  return readyBecause(`${wanted} pods available`);
}

/** Jobs: complete. A job that is suspended waits for whoever did that. */
export function jobReadiness(object: KubeObject): Readiness {
  const failure = conditionOf(object, "Failed");
  if (failure?.["status"] === "True") return failedBy(failure);
  if (conditionOf(object, "Complete")?.["status"] === "True") return readyBecause("complete");
  const [spec, status] = [part(object, "spec"), part(object, "status")];
  if (spec["suspend"] === true) return progressing("suspended");
  if (status["startTime"] === undefined) return progressing("not started yet");
  const [succeeded, wanted] = [count(status, "succeeded"), count(spec, "completions", 1)];
  return progressing(`${succeeded} of ${wanted} pods succeeded, ${count(status, "active")} active`);
}

function replicas(number: number, state: string): string {
  return `${number} ${number === 1 ? "replica" : "replicas"} ${state}`;
}
