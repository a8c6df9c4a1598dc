import { parseApiVersion } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";
import { customReadiness } from "./custom.ts";
import { claimReadiness, conditionReadiness, crdReadiness, phaseReadiness, serviceReadiness } from "./plain.ts";
import { podReadiness } from "./pod.ts";
import { count, part, progressing } from "./readiness.ts";
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
 * Whether an object has become what its latest spec asks for, and if not, why, in words. A status that speaks of an older spec counts
 * for nothing, whatever it says.
 */
export function readinessOf(object: KubeObject): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) {
    const held = object.metadata.finalizers ?? [];
    return { kind: "deleting", message: held.length === 0 ? "being deleted" : `held by ${held.join(", ")}` };
  }
  const { generation } = object.metadata;
  const status = part(object, "status");
  if (generation !== undefined && status["observedGeneration"] !== undefined) {
    const observed = count(status, "observedGeneration");
    if (observed < generation) return progressing(`generation ${generation} is not looked at yet, only ${observed}`);
  }
  const { group } = parseApiVersion(object.apiVersion);
  const id = `${object.kind}.${group}`;
  const known = Object.hasOwn(KINDS, id) ? KINDS[id] : undefined;
  if (known === undefined) return customReadiness(object);
  if (generation !== undefined && NEEDS_OBSERVER.has(id) && status["observedGeneration"] === undefined) {
    return progressing("not looked at yet");
  }
  return known(object);
}

/** Kinds whose controllers always say which generation they looked at. */
const NEEDS_OBSERVER = new Set(["Deployment.apps", "ReplicaSet.apps", "StatefulSet.apps", "DaemonSet.apps"]);
