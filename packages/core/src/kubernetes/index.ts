/** The built-in kinds of Kubernetes with their schemas, a folder for each group. Begin with `core/config-map.ts`. */

export type { MatchResources } from "./admissionregistration/match-resources.ts";
export { MutatingWebhookConfiguration } from "./admissionregistration/mutating-webhook-configuration.ts";
export { ValidatingAdmissionPolicyBinding } from "./admissionregistration/validating-admission-policy-binding.ts";
export { ValidatingAdmissionPolicy } from "./admissionregistration/validating-admission-policy.ts";
export { ValidatingWebhookConfiguration } from "./admissionregistration/validating-webhook-configuration.ts";
export type { MatchCondition } from "./admissionregistration/webhook.ts";
export { CustomResourceDefinition } from "./apiextensions/custom-resource-definition.ts";
export { ControllerRevision } from "./apps/controller-revision.ts";
export { DaemonSet } from "./apps/daemon-set.ts";
export { Deployment } from "./apps/deployment.ts";
export { ReplicaSet } from "./apps/replica-set.ts";
export { StatefulSet } from "./apps/stateful-set.ts";
export { SelfSubjectReview } from "./authentication/self-subject-review.ts";
export { TokenRequest } from "./authentication/token-request.ts";
export { TokenReview } from "./authentication/token-review.ts";
export type { UserInfo } from "./authentication/user-info.ts";
export type {
  NonResourceAttributes,
  ResourceAttributes,
  SelectorAttributes,
  SubjectAccessReviewStatus,
} from "./authorization/access-attributes.ts";
export { LocalSubjectAccessReview } from "./authorization/local-subject-access-review.ts";
export { SelfSubjectAccessReview } from "./authorization/self-subject-access-review.ts";
export { SelfSubjectRulesReview } from "./authorization/self-subject-rules-review.ts";
export { SubjectAccessReview } from "./authorization/subject-access-review.ts";
export { HorizontalPodAutoscalerV1 } from "./autoscaling/horizontal-pod-autoscaler-v1.ts";
export { HorizontalPodAutoscaler } from "./autoscaling/horizontal-pod-autoscaler.ts";
export type { HpaScalingRules } from "./autoscaling/horizontal-pod-autoscaler.ts";
export type {
  CrossVersionObjectReference,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from "./autoscaling/metric.ts";
export { Scale } from "./autoscaling/scale.ts";
export { CronJob } from "./batch/cron-job.ts";
export { Job } from "./batch/job.ts";
export type { JobSpec } from "./batch/job.ts";
export { Lease } from "./coordination/lease.ts";
export type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  Toleration,
  TopologySpreadConstraint,
} from "./core/affinity.ts";
export { Binding } from "./core/binding.ts";
export { ConfigMap } from "./core/config-map.ts";
export type {
  Container,
  ContainerPort,
  EnvFromSource,
  EnvVar,
  EphemeralContainer,
  ResourceRequirements,
  VolumeDevice,
  VolumeMount,
} from "./core/container.ts";
export { Endpoints } from "./core/endpoints.ts";
export type { EndpointAddress } from "./core/endpoints.ts";
export { Event } from "./core/event.ts";
export type { EventSource } from "./core/event.ts";
export { LimitRange } from "./core/limit-range.ts";
export { Namespace } from "./core/namespace.ts";
export { Node } from "./core/node.ts";
export type { Taint } from "./core/node.ts";
export { PersistentVolumeClaim } from "./core/persistent-volume-claim.ts";
export type {
  AccessMode,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
  PersistentVolumeClaimTemplate,
} from "./core/persistent-volume-claim.ts";
export { PersistentVolume } from "./core/persistent-volume.ts";
export type { HostPathVolumeSource, NfsVolumeSource, PersistentVolumeSpec } from "./core/persistent-volume.ts";
export type { PodSpec, PodTemplateSpec } from "./core/pod-spec.ts";
export { PodTemplate } from "./core/pod-template.ts";
export { Pod } from "./core/pod.ts";
export type { ContainerState, ContainerStatus, PodStatus } from "./core/pod.ts";
export type { ExecAction, HttpGetAction, Lifecycle, LifecycleHandler, Probe, TcpSocketAction } from "./core/probe.ts";
export type {
  ConfigMapKeySelector,
  LocalObjectReference,
  ObjectFieldSelector,
  ObjectReference,
  ResourceFieldSelector,
  SecretKeySelector,
  SecretReference,
  TypedLocalObjectReference,
  TypedObjectReference,
} from "./core/reference.ts";
export { ReplicationController } from "./core/replication-controller.ts";
export { ResourceQuota } from "./core/resource-quota.ts";
export { Secret } from "./core/secret.ts";
export type {
  AppArmorProfile,
  PodSecurityContext,
  SeLinuxOptions,
  SeccompProfile,
  SecurityContext,
  WindowsSecurityContextOptions,
} from "./core/security.ts";
export { ServiceAccount } from "./core/service-account.ts";
export { Service } from "./core/service.ts";
export type { ServicePort, ServiceSpec } from "./core/service.ts";
export type { DownwardApiVolumeFile, KeyToPath, Volume } from "./core/volume.ts";
export { EndpointSlice } from "./discovery/endpoint-slice.ts";
export { EventV1 } from "./events/event.ts";
export type { Protocol } from "./field-builders.ts";
export type {
  ConditionWithProbeTime,
  DeploymentCondition,
  NodeCondition,
  PodCondition,
  StandardCondition,
  StatusCondition,
} from "./meta.ts";
export { IngressClass } from "./networking/ingress-class.ts";
export { Ingress } from "./networking/ingress.ts";
export type { IngressBackend } from "./networking/ingress.ts";
export { NetworkPolicy } from "./networking/network-policy.ts";
export type { NetworkPolicyPeer, NetworkPolicyPort } from "./networking/network-policy.ts";
export { Eviction } from "./policy/eviction.ts";
export { PodDisruptionBudget } from "./policy/pod-disruption-budget.ts";
export { ClusterRoleBinding } from "./rbac/cluster-role-binding.ts";
export { ClusterRole } from "./rbac/cluster-role.ts";
export { RoleBinding } from "./rbac/role-binding.ts";
export type { RoleRef, Subject } from "./rbac/role-binding.ts";
export { Role } from "./rbac/role.ts";
export type { PolicyRule } from "./rbac/role.ts";
export { PriorityClass } from "./scheduling/priority-class.ts";
export { CSIDriver } from "./storage/csi-driver.ts";
export { StorageClass } from "./storage/storage-class.ts";
export { VolumeAttachment } from "./storage/volume-attachment.ts";
export type { VolumeError } from "./storage/volume-attachment.ts";
