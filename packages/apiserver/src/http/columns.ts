import type { Resource } from "../registry/index.ts";
import { admissionPolicyBindingPrinter, admissionPolicyPrinter, webhookPrinter } from "./columns/admission.ts";
import {
  controllerRevisionPrinter,
  daemonSetPrinter,
  deploymentPrinter,
  replicaSetPrinter,
  statefulSetPrinter,
} from "./columns/apps.ts";
import { horizontalPodAutoscalerPrinter } from "./columns/autoscaling.ts";
import { cronJobPrinter, jobPrinter } from "./columns/batch.ts";
import {
  configMapPrinter,
  endpointsPrinter,
  namespacePrinter,
  podTemplatePrinter,
  replicationControllerPrinter,
  resourceQuotaPrinter,
  secretPrinter,
} from "./columns/core.ts";
import { declaredPrinter } from "./columns/declared.ts";
import { eventPrinter, eventV1Printer } from "./columns/event.ts";
import {
  endpointSlicePrinter,
  ingressClassPrinter,
  ingressPrinter,
  networkPolicyPrinter,
} from "./columns/networking.ts";
import { nodePrinter } from "./columns/node.ts";
import { podPrinter } from "./columns/pod.ts";
import { leasePrinter, podDisruptionBudgetPrinter, priorityClassPrinter } from "./columns/policy.ts";
import { NAME_AND_AGE, NAME_AND_CREATION } from "./columns/printer.ts";
import type { Printer } from "./columns/printer.ts";
import { bindingPrinter } from "./columns/rbac.ts";
import { servicePrinter } from "./columns/service.ts";
import { csiDriverPrinter, storageClassPrinter, volumeAttachmentPrinter } from "./columns/storage.ts";
import { persistentVolumeClaimPrinter, persistentVolumePrinter } from "./columns/volume.ts";

/** By kind and group. The real server shows the kinds that are absent here, such as Role, by name and time of creation. */
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
  "ServiceAccount.": NAME_AND_AGE,
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

/** How the objects of a resource are shown in a Table: as its declaration says, or as suits the built-in kind. */
export function printerOf(resource: Resource): Printer {
  if (!resource.custom) return BUILTIN[`${resource.kind}.${resource.group}`] ?? NAME_AND_CREATION;
  const known = declared.get(resource);
  if (known !== undefined) return known;
  const printer = declaredPrinter(resource.columns);
  declared.set(resource, printer);
  return printer;
}
