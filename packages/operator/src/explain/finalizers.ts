import { childFinalizerName, finalizerName, jobFinalizerName, managerOf, parseApiVersion } from "@levelset/core";
import type { KubeObject } from "@levelset/core";

/** Finalizers of Kubernetes itself, and what each waits for. */
const KNOWN: Readonly<Record<string, string>> = {
  foregroundDeletion: "the garbage collector, until what it owns is gone",
  orphan: "the garbage collector, until what it owns is let go",
  "kubernetes.io/pvc-protection": "Kubernetes, until no pod uses the claim",
  "kubernetes.io/pv-protection": "Kubernetes, until no claim is bound to the volume",
  "batch.kubernetes.io/job-tracking": "the Job controller, until the pod is counted",
  "service.kubernetes.io/load-balancer-cleanup": "the cloud, until the load balancer is gone",
  "customresourcecleanup.apiextensions.k8s.io": "Kubernetes, until all objects of the kind are gone",
};

/** What holds an object that is being deleted: each finalizer, and whose it is. */
export function describeHolders(object: KubeObject): readonly string[] {
  return (object.metadata.finalizers ?? []).map((name) => `held by ${name}: ${whose(name, object)}`);
}

function whose(name: string, object: KubeObject): string {
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  if (known !== undefined) return known;
  const { group } = parseApiVersion(object.apiVersion);
  if (name === finalizerName({ group, kind: object.kind })) return "its own operator, until all steps are cleaned up";
  const owner = managerOf(object);
  if (owner !== undefined && name === childFinalizerName(owner)) {
    return `${owner.kind} ${owner.name}, which must not lose it`;
  }
  if (owner !== undefined && name === jobFinalizerName(owner)) {
    return `${owner.kind} ${owner.name}, until its status records the result`;
  }
  return "whoever put it there";
}

/** Whether a child keeps an owner that is being deleted: it is on its way out itself, or the owner waits for it. */
export function isHolding(child: KubeObject, owner: KubeObject): boolean {
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
