import type { Resource } from "../resource/index.ts";
import { bindingResource } from "./core/binding.ts";
import { configMapResource } from "./core/config-map.ts";
import { endpointsResource } from "./core/endpoints.ts";
import { eventResource } from "./core/event.ts";
import { limitRangeResource } from "./core/limit-range.ts";
import { namespaceResource } from "./core/namespace.ts";
import { nodeResource } from "./core/node.ts";
import { persistentVolumeClaimResource } from "./core/persistent-volume-claim.ts";
import { persistentVolumeResource } from "./core/persistent-volume.ts";
import { podTemplateResource } from "./core/pod-template.ts";
import { podResource } from "./core/pod.ts";
import { replicationControllerResource } from "./core/replication-controller.ts";
import { resourceQuotaResource } from "./core/resource-quota.ts";
import { secretResource } from "./core/secret.ts";
import { serviceAccountResource } from "./core/service-account.ts";
import { serviceResource } from "./core/service.ts";
import { controllerRevisionResource } from "./apps/controller-revision.ts";
import { daemonSetResource } from "./apps/daemon-set.ts";
import { deploymentResource } from "./apps/deployment.ts";
import { replicaSetResource } from "./apps/replica-set.ts";
import { statefulSetResource } from "./apps/stateful-set.ts";
import { eventV1Resource } from "./events/event.ts";
import { selfSubjectReviewResource } from "./authentication/self-subject-review.ts";
import { tokenReviewResource } from "./authentication/token-review.ts";
import { localSubjectAccessReviewResource } from "./authorization/local-subject-access-review.ts";
import { selfSubjectAccessReviewResource } from "./authorization/self-subject-access-review.ts";
import { selfSubjectRulesReviewResource } from "./authorization/self-subject-rules-review.ts";
import { subjectAccessReviewResource } from "./authorization/subject-access-review.ts";
import { horizontalPodAutoscalerV1Resource } from "./autoscaling/horizontal-pod-autoscaler-v1.ts";
import { horizontalPodAutoscalerResource } from "./autoscaling/horizontal-pod-autoscaler.ts";
import { cronJobResource } from "./batch/cron-job.ts";
import { jobResource } from "./batch/job.ts";
import { ingressClassResource } from "./networking/ingress-class.ts";
import { ingressResource } from "./networking/ingress.ts";
import { networkPolicyResource } from "./networking/network-policy.ts";
import { podDisruptionBudgetResource } from "./policy/pod-disruption-budget.ts";
import { clusterRoleBindingResource } from "./rbac/cluster-role-binding.ts";
import { clusterRoleResource } from "./rbac/cluster-role.ts";
import { roleBindingResource } from "./rbac/role-binding.ts";
import { roleResource } from "./rbac/role.ts";
import { csiDriverResource } from "./storage/csi-driver.ts";
import { storageClassResource } from "./storage/storage-class.ts";
import { volumeAttachmentResource } from "./storage/volume-attachment.ts";
import { mutatingWebhookConfigurationResource } from "./admissionregistration/mutating-webhook-configuration.ts";
import { validatingAdmissionPolicyBindingResource } from "./admissionregistration/validating-admission-policy-binding.ts";
import { validatingAdmissionPolicyResource } from "./admissionregistration/validating-admission-policy.ts";
import { validatingWebhookConfigurationResource } from "./admissionregistration/validating-webhook-configuration.ts";
import { crdResource } from "./apiextensions/custom-resource-definition.ts";
import { priorityClassResource } from "./scheduling/priority-class.ts";
import { leaseResource } from "./coordination/lease.ts";
import { endpointSliceResource } from "./discovery/endpoint-slice.ts";

/**
 * The resources of all built-in kinds. The order of their groups is the order of discovery, which is also the lookup
 * order of clients for a name without a group.
 */
export const BUILTIN_RESOURCES: readonly Resource[] = [
  bindingResource,
  configMapResource,
  endpointsResource,
  eventResource,
  limitRangeResource,
  namespaceResource,
  nodeResource,
  persistentVolumeClaimResource,
  persistentVolumeResource,
  podTemplateResource,
  podResource,
  replicationControllerResource,
  resourceQuotaResource,
  secretResource,
  serviceAccountResource,
  serviceResource,
  controllerRevisionResource,
  daemonSetResource,
  deploymentResource,
  replicaSetResource,
  statefulSetResource,
  eventV1Resource,
  selfSubjectReviewResource,
  tokenReviewResource,
  localSubjectAccessReviewResource,
  selfSubjectAccessReviewResource,
  selfSubjectRulesReviewResource,
  subjectAccessReviewResource,
  horizontalPodAutoscalerV1Resource,
  horizontalPodAutoscalerResource,
  cronJobResource,
  jobResource,
  ingressClassResource,
  ingressResource,
  networkPolicyResource,
  podDisruptionBudgetResource,
  clusterRoleBindingResource,
  clusterRoleResource,
  roleBindingResource,
  roleResource,
  csiDriverResource,
  storageClassResource,
  volumeAttachmentResource,
  mutatingWebhookConfigurationResource,
  validatingAdmissionPolicyBindingResource,
  validatingAdmissionPolicyResource,
  validatingWebhookConfigurationResource,
  crdResource,
  priorityClassResource,
  leaseResource,
  endpointSliceResource,
];
