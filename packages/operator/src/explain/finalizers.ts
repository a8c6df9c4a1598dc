import {
  childFinalizerName,
  finalizerName,
  jobFinalizerName,
  managerOf,
  parseApiVersion,
} from "@levelset/core/internal";
import type { KubeObject } from "@levelset/core";

/** Finalizers of Kubernetes itself, and what each waits for. */
const KNOWN: Readonly<Record<string, string>> = {
  foregroundDeletion: "the garbage collector, until its dependents are deleted",
  orphan: "the garbage collector, until its dependents are orphaned",
  "kubernetes.io/pvc-protection": "Kubernetes, until no pod uses the claim",
  "kubernetes.io/pv-protection": "Kubernetes, until no claim is bound to the volume",
  "batch.kubernetes.io/job-tracking": "the Job controller, until the pod is counted",
  "service.kubernetes.io/load-balancer-cleanup": "the cloud, until the load balancer is gone",
  "customresourcecleanup.apiextensions.k8s.io": "Kubernetes, until all objects of the kind are gone",
};

/** Describes the finalizers that block the deletion of an object, and their owners. */
export function describeFinalizers(object: KubeObject): readonly string[] {
  return (object.metadata.finalizers ?? []).map((name) => `held by ${name}: ${whose(name, object)}`);
}

function whose(name: string, object: KubeObject): string {
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  if (known !== undefined) return known;
  const { group } = parseApiVersion(object.apiVersion);
  if (name === finalizerName({ group, kind: object.kind })) return "its own operator, until all steps are cleaned up";
  const owner = managerOf(object);
  if (owner !== undefined && name === childFinalizerName(owner)) {
    return `${owner.kind} ${owner.name}, which protects it`;
  }
  if (owner !== undefined && name === jobFinalizerName(owner)) {
    return `${owner.kind} ${owner.name}, until its status records the result`;
  }
  return "the client that added it";
}

/** Returns whether a child blocks the deletion of its owner: it is being deleted itself, or the owner waits for it. */
export function blocksDeletion(child: KubeObject, owner: KubeObject): boolean {
  const { group } = parseApiVersion(owner.apiVersion);
  const { finalizers = [], deletionTimestamp, ownerReferences = [] } = child.metadata;
  if (deletionTimestamp !== undefined || finalizers.includes(childFinalizerName({ group, kind: owner.kind })))
    return true;
  const isForeground = owner.metadata.finalizers?.includes("foregroundDeletion") ?? false;
  return (
    isForeground &&
    ownerReferences.some(({ uid, blockOwnerDeletion }) => uid === owner.metadata.uid && blockOwnerDeletion === true)
  );
}
