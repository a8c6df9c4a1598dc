import * as core from "@levelset/core";
import type { Kind } from "@levelset/core";
import { autoscalerAlias } from "./autoscaler-alias.ts";
import { eventAlias } from "./event-alias.ts";
import { builtinResource } from "./resource.ts";
import type { BuiltinFacts, Resource } from "./resource.ts";
import { VIRTUALS } from "./virtuals.ts";

/** Most built-in kinds: an update without resourceVersion overwrites. */
const PLAIN: BuiltinFacts = { unconditionalUpdate: true, hasGeneration: false, categories: [] };
const COUNTED: BuiltinFacts = { ...PLAIN, hasGeneration: true };
const GUARDED: BuiltinFacts = { ...PLAIN, unconditionalUpdate: false };
/** Kinds that `kubectl get all` shows. */
const WORKLOAD: BuiltinFacts = { ...COUNTED, categories: ["all"] };
const EXTENSION: BuiltinFacts = { unconditionalUpdate: false, hasGeneration: true, categories: ["api-extensions"] };

/** Namespaces, as a resource. */
export const NAMESPACES: Resource = builtinResource(core.Namespace, PLAIN);

/** CustomResourceDefinitions, as a resource. */
export const CRDS: Resource = builtinResource(core.CustomResourceDefinition, EXTENSION);

/** The other kinds that every server serves, and how they differ. */
const TABLE: readonly (readonly [Kind, BuiltinFacts])[] = [
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

/** What every server serves. */
export const BUILTINS: readonly Resource[] = [
  NAMESPACES,
  ...TABLE.map(([kind, facts]) => builtinResource(kind, facts)),
  eventAlias(PLAIN),
  autoscalerAlias({ ...PLAIN, categories: ["all"] }),
  CRDS,
  ...VIRTUALS,
];
