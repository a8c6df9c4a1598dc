import { generationState, parseApiVersion } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";
import { customReadiness } from "./custom.ts";
import { claimReadiness, conditionReadiness, crdReadiness, phaseReadiness, serviceReadiness } from "./plain.ts";
import { podReadiness } from "./pod.ts";
import { progressing, staleness } from "./readiness.ts";
import type { Readiness } from "./readiness.ts";
import {
  daemonSetReadiness,
  deploymentReadiness,
  jobReadiness,
  replicaSetReadiness,
  statefulSetReadiness,
} from "./workload.ts";

/** `Kind.group` → how its objects become ready. */
const KINDS: Readonly<Record<string, (object: KubeObject) => Readiness>> = {
  "Deployment.apps": deploymentReadiness,
  "ReplicaSet.apps": replicaSetReadiness,
  "StatefulSet.apps": statefulSetReadiness,
  "DaemonSet.apps": daemonSetReadiness,
  "Job.batch": jobReadiness,
  "Pod.": podReadiness,
  "ReplicationController.": replicaSetReadiness,
  "PersistentVolumeClaim.": claimReadiness,
  "PersistentVolume.": phaseReadiness(["Available", "Bound", "Released"], ["Failed"]),
  "Service.": serviceReadiness,
  "Namespace.": phaseReadiness(["Active"], []),
  "Node.": conditionReadiness("Ready"),
  "CustomResourceDefinition.apiextensions.k8s.io": crdReadiness,
  "APIService.apiregistration.k8s.io": conditionReadiness("Available"),
};

/**
 * Whether an object has become what its latest spec asks for, and if not, why, in words. A status that is about another generation
 * than the latest, older or newer, counts for nothing, whatever it says.
 */
export function readinessOf(object: KubeObject): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) {
    const held = object.metadata.finalizers ?? [];
    return { kind: "deleting", message: held.length === 0 ? "being deleted" : `held by ${held.join(", ")}` };
  }
  const { group } = parseApiVersion(object.apiVersion);
  const id = `${object.kind}.${group}`;
  const known = Object.hasOwn(KINDS, id) ? KINDS[id] : undefined;
  if (known === undefined) return customReadiness(object);
  const stale = staleness(object, CONDITIONS[id]);
  if (stale !== undefined) return stale;
  const isObserved = object.metadata.generation === undefined || generationState(object) !== "unknown";
  return isObserved || !NEEDS_OBSERVER.has(id) ? known(object) : progressing("not observed yet");
}

/** Kinds that are judged by one condition other than Ready. */
const CONDITIONS: Readonly<Record<string, string>> = {
  "CustomResourceDefinition.apiextensions.k8s.io": "Established",
  "APIService.apiregistration.k8s.io": "Available",
};

/** Kinds whose controllers always report the generation that they observed. */
const NEEDS_OBSERVER = new Set(["Deployment.apps", "ReplicaSet.apps", "StatefulSet.apps", "DaemonSet.apps"]);
