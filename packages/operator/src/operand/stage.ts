import type { LiveRef } from "./live-ref.ts";

/**
 * In which order kinds are applied: what others need comes first, then what runs, and custom resources of the set's own CRDs last.
 * Deletion goes the other way.
 */
const STAGES: readonly (readonly string[])[] = [
  ["CustomResourceDefinition.apiextensions.k8s.io"],
  ["Namespace."],
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
 * The stage of custom resources whose CRD is in the same set: after the operator that reconciles them, so that it is still there to
 * finalize them when they are deleted.
 */
export const CUSTOM_STAGE: number = STAGES.length + 2;

/** The stage of an object: a number, applied from low to high. */
export function stageOf(ref: Pick<LiveRef, "group" | "kind">): number {
  const id = `${ref.kind}.${ref.group}`;
  const found = STAGES.findIndex((stage) => stage.includes(id));
  if (found !== -1) return found;
  return LAST.includes(id) ? STAGES.length + 1 : STAGES.length;
}

/** Whether objects of this kind hold others that we know nothing of, and are therefore never owned nor pruned. */
export function isNeverOwned({ group, kind }: Pick<LiveRef, "group" | "kind">): boolean {
  const id = `${kind}.${group}`;
  return id === "Namespace." || id === "CustomResourceDefinition.apiextensions.k8s.io";
}
