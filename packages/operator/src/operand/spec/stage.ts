import type { LiveRef } from "./live-ref.ts";

/**
 * Order in which kinds are applied: prerequisites first, then workloads, and custom resources of the set's own CRDs
 * last. Deletion uses the reverse order.
 */
const STAGES: readonly (readonly string[])[] = [
  ["CustomResourceDefinition.apiextensions.k8s.io"],
  ["Namespace.", "PriorityClass.scheduling.k8s.io", "StorageClass.storage.k8s.io", "IngressClass.networking.k8s.io"],
  ["ServiceAccount.", "Role.rbac.authorization.k8s.io", "ClusterRole.rbac.authorization.k8s.io"],
  ["RoleBinding.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io"],
  ["ConfigMap.", "Secret."],
  [
    "MutatingWebhookConfiguration.admissionregistration.k8s.io",
    "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
    "ValidatingAdmissionPolicy.admissionregistration.k8s.io",
    "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io",
  ],
];
const LAST = ["Deployment.apps", "StatefulSet.apps", "DaemonSet.apps"];

/**
 * Stage of custom resources whose CRD is in the same set: after the operator that reconciles them, so that it still
 * runs to finalize them on deletion.
 */
export const CUSTOM_STAGE: number = STAGES.length + 2;

/** Stage of webhook and policy configurations, the first that is not a prerequisite of Jobs. */
const WEBHOOKS = 5;

/** Reports whether the objects of a stage can be prerequisites of a Job: CRDs up to ConfigMaps and Secrets. */
export function isPrerequisite(stage: number): boolean {
  return stage < WEBHOOKS;
}

/** Returns the stage of an object; lower stages are applied first. */
export function installOrderOf(ref: Pick<LiveRef, "group" | "kind">): number {
  const id = `${ref.kind}.${ref.group}`;
  const found = STAGES.findIndex((stage) => stage.includes(id));
  if (found !== -1) return found;
  return LAST.includes(id) ? STAGES.length + 1 : STAGES.length;
}

/** Reports whether objects of this kind contain others that we do not know, and are therefore never owned or pruned. */
export function isNeverOwned({ group, kind }: Pick<LiveRef, "group" | "kind">): boolean {
  const id = `${kind}.${group}`;
  return id === "Namespace." || id === "CustomResourceDefinition.apiextensions.k8s.io";
}
