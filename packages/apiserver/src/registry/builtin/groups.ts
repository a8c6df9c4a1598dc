import type { KindRules } from "../rules.ts";
import { validatingAdmissionPolicyBindingRules, validatingAdmissionPolicyRules } from "./admission/policy.ts";
import { mutatingWebhookRules, validatingWebhookRules } from "./admission/webhook.ts";
import { horizontalPodAutoscalerRules } from "./autoscaling/horizontal-pod-autoscaler.ts";
import { leaseRules } from "./coordination/lease.ts";
import { endpointSliceRules } from "./discovery/endpoint-slice.ts";
import { eventV1Rules } from "./events/event.ts";
import { ingressClassRules } from "./networking/ingress-class.ts";
import { ingressRules } from "./networking/ingress.ts";
import { networkPolicyRules } from "./networking/network-policy.ts";
import { podDisruptionBudgetRules } from "./policy/pod-disruption-budget.ts";
import { clusterRoleBindingRules, roleBindingRules } from "./rbac/role-binding.ts";
import { clusterRoleRules, roleRules } from "./rbac/role.ts";
import { priorityClassRules } from "./scheduling/priority-class.ts";
import { csiDriverRules } from "./storage/csi-driver.ts";
import { storageClassRules } from "./storage/storage-class.ts";
import { volumeAttachmentRules } from "./storage/volume-attachment.ts";

/** What is particular to the kinds of the other groups than core, apps and batch. */
export const GROUP_RULES: Readonly<Record<string, KindRules>> = {
  "horizontalpodautoscalers.autoscaling": horizontalPodAutoscalerRules,
  "leases.coordination.k8s.io": leaseRules,
  "endpointslices.discovery.k8s.io": endpointSliceRules,
  "events.events.k8s.io": eventV1Rules,
  "ingresses.networking.k8s.io": ingressRules,
  "ingressclasses.networking.k8s.io": ingressClassRules,
  "networkpolicies.networking.k8s.io": networkPolicyRules,
  "poddisruptionbudgets.policy": podDisruptionBudgetRules,
  "roles.rbac.authorization.k8s.io": roleRules,
  "clusterroles.rbac.authorization.k8s.io": clusterRoleRules,
  "rolebindings.rbac.authorization.k8s.io": roleBindingRules,
  "clusterrolebindings.rbac.authorization.k8s.io": clusterRoleBindingRules,
  "priorityclasses.scheduling.k8s.io": priorityClassRules,
  "storageclasses.storage.k8s.io": storageClassRules,
  "csidrivers.storage.k8s.io": csiDriverRules,
  "volumeattachments.storage.k8s.io": volumeAttachmentRules,
  "validatingwebhookconfigurations.admissionregistration.k8s.io": validatingWebhookRules,
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": mutatingWebhookRules,
  "validatingadmissionpolicies.admissionregistration.k8s.io": validatingAdmissionPolicyRules,
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": validatingAdmissionPolicyBindingRules,
};
