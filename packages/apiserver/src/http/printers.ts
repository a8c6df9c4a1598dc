import type { Resource } from "../registry/index.ts";
import { admissionPolicyBindingPrinter, admissionPolicyPrinter, webhookPrinter } from "./printers/admission.ts";
import {
  controllerRevisionPrinter,
  daemonSetPrinter,
  deploymentPrinter,
  replicaSetPrinter,
  statefulSetPrinter,
} from "./printers/apps.ts";
import { horizontalPodAutoscalerPrinter } from "./printers/autoscaling.ts";
import { cronJobPrinter, jobPrinter } from "./printers/batch.ts";
import {
  configMapPrinter,
  endpointsPrinter,
  namespacePrinter,
  podTemplatePrinter,
  replicationControllerPrinter,
  resourceQuotaPrinter,
  secretPrinter,
} from "./printers/core.ts";
import { customResourcePrinter } from "./printers/custom-resource.ts";
import { eventPrinter, eventV1Printer } from "./printers/event.ts";
import {
  endpointSlicePrinter,
  ingressClassPrinter,
  ingressPrinter,
  networkPolicyPrinter,
} from "./printers/networking.ts";
import { nodePrinter } from "./printers/node.ts";
import { podPrinter } from "./printers/pod.ts";
import { leasePrinter, podDisruptionBudgetPrinter, priorityClassPrinter } from "./printers/policy.ts";
import { NAME_AND_AGE_PRINTER, DEFAULT_PRINTER } from "./printers/printer.ts";
import type { Printer } from "./printers/printer.ts";
import { bindingPrinter } from "./printers/rbac.ts";
import { servicePrinter } from "./printers/service.ts";
import { csiDriverPrinter, storageClassPrinter, volumeAttachmentPrinter } from "./printers/storage.ts";
import { persistentVolumeClaimPrinter, persistentVolumePrinter } from "./printers/volume.ts";

/**
 * Printers by kind and group. Kinds without an entry, such as Role, show name and creation time, as in
 * `pkg/printers/internalversion/printers.go` (Kubernetes 1.36).
 */
const BUILTIN: Readonly<Record<string, Printer>> = {
  "ConfigMap.": configMapPrinter,
  "Endpoints.": endpointsPrinter,
  "Event.": eventPrinter,
  "Namespace.": namespacePrinter,
  "Node.": nodePrinter,
  "PersistentVolume.": persistentVolumePrinter,
  "PersistentVolumeClaim.": persistentVolumeClaimPrinter,
  "Pod.": podPrinter,
  "PodTemplate.": podTemplatePrinter,
  "ReplicationController.": replicationControllerPrinter,
  "ResourceQuota.": resourceQuotaPrinter,
  "Secret.": secretPrinter,
  "Service.": servicePrinter,
  "ServiceAccount.": NAME_AND_AGE_PRINTER,
  "MutatingWebhookConfiguration.admissionregistration.k8s.io": webhookPrinter,
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io": admissionPolicyPrinter,
  "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io": admissionPolicyBindingPrinter,
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io": webhookPrinter,
  "ControllerRevision.apps": controllerRevisionPrinter,
  "DaemonSet.apps": daemonSetPrinter,
  "Deployment.apps": deploymentPrinter,
  "ReplicaSet.apps": replicaSetPrinter,
  "StatefulSet.apps": statefulSetPrinter,
  "HorizontalPodAutoscaler.autoscaling": horizontalPodAutoscalerPrinter,
  "CronJob.batch": cronJobPrinter,
  "Job.batch": jobPrinter,
  "Lease.coordination.k8s.io": leasePrinter,
  "EndpointSlice.discovery.k8s.io": endpointSlicePrinter,
  "Event.events.k8s.io": eventV1Printer,
  "Ingress.networking.k8s.io": ingressPrinter,
  "IngressClass.networking.k8s.io": ingressClassPrinter,
  "NetworkPolicy.networking.k8s.io": networkPolicyPrinter,
  "PodDisruptionBudget.policy": podDisruptionBudgetPrinter,
  "ClusterRoleBinding.rbac.authorization.k8s.io": bindingPrinter,
  "RoleBinding.rbac.authorization.k8s.io": bindingPrinter,
  "PriorityClass.scheduling.k8s.io": priorityClassPrinter,
  "CSIDriver.storage.k8s.io": csiDriverPrinter,
  "StorageClass.storage.k8s.io": storageClassPrinter,
  "VolumeAttachment.storage.k8s.io": volumeAttachmentPrinter,
};

const declared = new WeakMap<Resource, Printer>();

/** Returns the printer of a resource: the columns of its CRD, or those of the built-in kind. */
export function printerOf(resource: Resource): Printer {
  if (!resource.isCustom) return BUILTIN[`${resource.kind}.${resource.group}`] ?? DEFAULT_PRINTER;
  const known = declared.get(resource);
  if (known !== undefined) return known;
  const printer = customResourcePrinter(resource.columns);
  declared.set(resource, printer);
  return printer;
}
