import { generationState, parseApiVersion } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";
import { customResourceReadiness } from "./custom-resource.ts";
import { claimReadiness, conditionReadiness, crdReadiness, phaseReadiness, serviceReadiness } from "./simple-kinds.ts";
import { podReadiness } from "./pod.ts";
import { progressingWith, staleness } from "./readiness.ts";
import type { Readiness } from "./readiness.ts";
import {
  daemonSetReadiness,
  deploymentReadiness,
  jobReadiness,
  replicaSetReadiness,
  statefulSetReadiness,
} from "./workload.ts";

/** `Kind.group` → the readiness function of the kind. */
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
 * Reports whether an object has reached its latest spec, and if not, why. A status of another generation than the
 * latest, older or newer, is ignored.
 */
export function readinessOf(object: KubeObject): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) {
    const held = object.metadata.finalizers ?? [];
    return { kind: "deleting", message: held.length === 0 ? "being deleted" : `held by ${held.join(", ")}` };
  }
  const { group } = parseApiVersion(object.apiVersion);
  const id = `${object.kind}.${group}`;
  const known = Object.hasOwn(KINDS, id) ? KINDS[id] : undefined;
  if (known === undefined) return customResourceReadiness(object);
  const stale = staleness(object, CONDITIONS[id]);
  if (stale !== undefined) return stale;
  const isObserved = object.metadata.generation === undefined || generationState(object) !== "unknown";
  return isObserved || !NEEDS_OBSERVER.has(id) ? known(object) : progressingWith("not observed yet");
}

/** Kinds whose readiness is one condition other than Ready. */
const CONDITIONS: Readonly<Record<string, string>> = {
  "CustomResourceDefinition.apiextensions.k8s.io": "Established",
  "APIService.apiregistration.k8s.io": "Available",
};

/** Kinds whose controllers always report the observed generation. */
const NEEDS_OBSERVER = new Set(["Deployment.apps", "ReplicaSet.apps", "StatefulSet.apps", "DaemonSet.apps"]);
