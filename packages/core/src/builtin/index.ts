/** The built-in kinds of Kubernetes with their schemas. Begin with `core.ts`. */

export {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "./admission.ts";
export type { MatchCondition, MatchResources } from "./admission.ts";
export type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  Toleration,
  TopologySpreadConstraint,
} from "./affinity.ts";
export { CustomResourceDefinition } from "./apiextensions.ts";
export { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from "./apps.ts";
export { SelfSubjectReview, TokenRequest, TokenReview } from "./authentication.ts";
export type { UserInfo } from "./authentication.ts";
export {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from "./authorization.ts";
export type {
  SubjectAccessReviewStatus,
  NonResourceAttributes,
  ResourceAttributes,
  SelectorAttributes,
} from "./authorization.ts";
export { HorizontalPodAutoscaler, HorizontalPodAutoscalerV1 } from "./autoscaling.ts";
export type {
  CrossVersionObjectReference,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  HpaScalingRules,
} from "./autoscaling.ts";
export { Binding, Eviction, Scale } from "./binding.ts";
export { CronJob, Job } from "./batch.ts";
export type { JobSpec } from "./batch.ts";
export type {
  Container,
  ContainerPort,
  EnvFromSource,
  EnvVar,
  EphemeralContainer,
  ResourceRequirements,
  VolumeDevice,
  VolumeMount,
} from "./container.ts";
export { Lease } from "./coordination.ts";
export { ConfigMap, LimitRange, Namespace, ResourceQuota, Secret } from "./core.ts";
export { EndpointSlice } from "./discovery.ts";
export { Event, EventV1 } from "./events.ts";
export type { EventSource } from "./events.ts";
export type { Protocol } from "./field-builders.ts";
export type {
  DeploymentCondition,
  NodeCondition,
  PodCondition,
  ConditionWithProbeTime,
  StandardCondition,
  StatusCondition,
} from "./meta.ts";
export { Ingress, IngressClass, NetworkPolicy } from "./networking.ts";
export type { IngressBackend, NetworkPolicyPeer, NetworkPolicyPort } from "./networking.ts";
export { Node } from "./node.ts";
export type { Taint } from "./node.ts";
export { PersistentVolume, PersistentVolumeClaim } from "./persistent-volume.ts";
export type {
  AccessMode,
  HostPathVolumeSource,
  NfsVolumeSource,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
  PersistentVolumeClaimTemplate,
  PersistentVolumeSpec,
} from "./persistent-volume.ts";
export type { PodSpec, PodTemplateSpec } from "./pod-spec.ts";
export { Pod, PodTemplate, ReplicationController } from "./pod.ts";
export type { ContainerState, ContainerStatus, PodStatus } from "./pod.ts";
export { PodDisruptionBudget } from "./policy.ts";
export type { ExecAction, HttpGetAction, Lifecycle, LifecycleHandler, Probe, TcpSocketAction } from "./probe.ts";
export { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "./rbac.ts";
export type { PolicyRule, RoleRef, Subject } from "./rbac.ts";
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
} from "./reference.ts";
export { PriorityClass } from "./scheduling.ts";
export type {
  AppArmorProfile,
  PodSecurityContext,
  SeLinuxOptions,
  SeccompProfile,
  SecurityContext,
  WindowsSecurityContextOptions,
} from "./security.ts";
export { Endpoints, Service, ServiceAccount } from "./service.ts";
export type { EndpointAddress, ServicePort, ServiceSpec } from "./service.ts";
export { CSIDriver, StorageClass, VolumeAttachment } from "./storage.ts";
export type { VolumeError } from "./storage.ts";
export type { DownwardApiVolumeFile, KeyToPath, Volume } from "./volume.ts";
