import * as core from "@levelset/core";
import type { Kind } from "@levelset/core";
import { autoscalingV1Resource } from "./autoscaling-v1-resource.ts";
import { eventsV1Resource } from "./events-v1-resource.ts";
import { builtinResource } from "./resource.ts";
import type { BuiltinResourceOptions, Resource } from "./resource.ts";
import { VIRTUAL_RESOURCES } from "./virtual-resources.ts";

/** Options of most built-in kinds: updates without a resourceVersion are allowed. */
const PLAIN: BuiltinResourceOptions = { allowUnconditionalUpdate: true, hasGeneration: false, categories: [] };
const COUNTED: BuiltinResourceOptions = { ...PLAIN, hasGeneration: true };
const GUARDED: BuiltinResourceOptions = { ...PLAIN, allowUnconditionalUpdate: false };
/** Options of kinds in the category `all` (`kubectl get all`). */
const WORKLOAD: BuiltinResourceOptions = { ...COUNTED, categories: ["all"] };
const EXTENSION: BuiltinResourceOptions = {
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  categories: ["api-extensions"],
};

/** The resource of Namespaces. */
export const NAMESPACE_RESOURCE: Resource = builtinResource(core.Namespace, PLAIN);

/** The resource of CustomResourceDefinitions. */
export const CRD_RESOURCE: Resource = builtinResource(core.CustomResourceDefinition, EXTENSION);

/** The other built-in kinds with options. */
const TABLE: readonly (readonly [Kind, BuiltinResourceOptions])[] = [
  [core.ConfigMap, PLAIN],
  [core.Secret, PLAIN],
  [core.Service, { ...PLAIN, categories: ["all"] }],
  [core.ServiceAccount, PLAIN],
  [core.Pod, WORKLOAD],
  [core.PodTemplate, COUNTED],
  [core.ReplicationController, WORKLOAD],
  [core.Event, PLAIN],
  [
    core.Endpoints,
    { ...PLAIN, deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice" },
  ],
  [core.Node, PLAIN],
  [core.PersistentVolume, PLAIN],
  [core.PersistentVolumeClaim, PLAIN],
  [core.LimitRange, PLAIN],
  [core.ResourceQuota, PLAIN],
  [core.Deployment, WORKLOAD],
  [core.ReplicaSet, WORKLOAD],
  [core.StatefulSet, WORKLOAD],
  [core.DaemonSet, WORKLOAD],
  [core.ControllerRevision, PLAIN],
  [core.Job, WORKLOAD],
  [core.CronJob, WORKLOAD],
  [core.HorizontalPodAutoscaler, { ...PLAIN, categories: ["all"] }],
  [core.Role, PLAIN],
  [core.RoleBinding, PLAIN],
  [core.ClusterRole, PLAIN],
  [core.ClusterRoleBinding, PLAIN],
  [core.Lease, GUARDED],
  [core.EndpointSlice, COUNTED],
  [core.Ingress, COUNTED],
  [core.IngressClass, COUNTED],
  [core.NetworkPolicy, COUNTED],
  [core.PodDisruptionBudget, { ...GUARDED, hasGeneration: true }],
  [core.PriorityClass, COUNTED],
  [core.StorageClass, PLAIN],
  [core.CSIDriver, GUARDED],
  [core.VolumeAttachment, GUARDED],
  [core.MutatingWebhookConfiguration, EXTENSION],
  [core.ValidatingWebhookConfiguration, EXTENSION],
  [core.ValidatingAdmissionPolicy, EXTENSION],
  [core.ValidatingAdmissionPolicyBinding, EXTENSION],
];

/** All built-in resources. */
export const BUILTIN_RESOURCES: readonly Resource[] = [
  NAMESPACE_RESOURCE,
  ...TABLE.map(([kind, facts]) => builtinResource(kind, facts)),
  eventsV1Resource(PLAIN),
  autoscalingV1Resource({ ...PLAIN, categories: ["all"] }),
  CRD_RESOURCE,
  ...VIRTUAL_RESOURCES,
];
