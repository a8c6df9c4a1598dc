import type { KindStrategy } from "../strategy.ts";
import { validatingAdmissionPolicyBindingStrategy, validatingAdmissionPolicyStrategy } from "./admission/policy.ts";
import { mutatingWebhookStrategy, validatingWebhookStrategy } from "./admission/webhook.ts";
import { horizontalPodAutoscalerStrategy } from "./autoscaling/horizontal-pod-autoscaler.ts";
import { leaseStrategy } from "./coordination/lease.ts";
import { endpointSliceStrategy } from "./discovery/endpoint-slice.ts";
import { eventV1Strategy } from "./events/event.ts";
import { ingressClassStrategy } from "./networking/ingress-class.ts";
import { ingressStrategy } from "./networking/ingress.ts";
import { networkPolicyStrategy } from "./networking/network-policy.ts";
import { podDisruptionBudgetStrategy } from "./policy/pod-disruption-budget.ts";
import { clusterRoleBindingStrategy, roleBindingStrategy } from "./rbac/role-binding.ts";
import { clusterRoleStrategy, roleStrategy } from "./rbac/role.ts";
import { priorityClassStrategy } from "./scheduling/priority-class.ts";
import { csiDriverStrategy } from "./storage/csi-driver.ts";
import { storageClassStrategy } from "./storage/storage-class.ts";
import { volumeAttachmentStrategy } from "./storage/volume-attachment.ts";

/** Strategies of kinds outside the groups core, apps and batch. */
export const GROUP_STRATEGIES: Readonly<Record<string, KindStrategy>> = {
  "horizontalpodautoscalers.autoscaling": horizontalPodAutoscalerStrategy,
  "leases.coordination.k8s.io": leaseStrategy,
  "endpointslices.discovery.k8s.io": endpointSliceStrategy,
  "events.events.k8s.io": eventV1Strategy,
  "ingresses.networking.k8s.io": ingressStrategy,
  "ingressclasses.networking.k8s.io": ingressClassStrategy,
  "networkpolicies.networking.k8s.io": networkPolicyStrategy,
  "poddisruptionbudgets.policy": podDisruptionBudgetStrategy,
  "roles.rbac.authorization.k8s.io": roleStrategy,
  "clusterroles.rbac.authorization.k8s.io": clusterRoleStrategy,
  "rolebindings.rbac.authorization.k8s.io": roleBindingStrategy,
  "clusterrolebindings.rbac.authorization.k8s.io": clusterRoleBindingStrategy,
  "priorityclasses.scheduling.k8s.io": priorityClassStrategy,
  "storageclasses.storage.k8s.io": storageClassStrategy,
  "csidrivers.storage.k8s.io": csiDriverStrategy,
  "volumeattachments.storage.k8s.io": volumeAttachmentStrategy,
  "validatingwebhookconfigurations.admissionregistration.k8s.io": validatingWebhookStrategy,
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": mutatingWebhookStrategy,
  "validatingadmissionpolicies.admissionregistration.k8s.io": validatingAdmissionPolicyStrategy,
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": validatingAdmissionPolicyBindingStrategy,
};
