import { daemonSet, deployment, replicaSet, statefulSet } from "./apps.ts";
import { horizontalPodAutoscaler, horizontalPodAutoscalerV1 } from "./autoscaling.ts";
import { cronJob, job } from "./batch.ts";
import { persistentVolumeClaim } from "./persistent-volume-claim.ts";
import { configMap, limitRange, namespace, resourceQuota, secret, serviceAccount } from "./config.ts";
import { event, eventV1 } from "./event.ts";
import { deleteOptions } from "./meta.ts";
import { ingress } from "./networking.ts";
import { pod } from "./pod.ts";
import { lease, podDisruptionBudget, priorityClass } from "./policy.ts";
import { clusterRole, clusterRoleBinding, role, roleBinding } from "./rbac.ts";
import { selfSubjectAccessReview, selfSubjectReview, selfSubjectRulesReview, tokenRequest } from "./review.ts";
import { service } from "./service.ts";
import type { MessageTable } from "./message-table.ts";

/**
 * Message tables by apiVersion and kind: the kinds that `kubectl create`, `run`, `expose` and `autoscale` send, and
 * those that Go operators write most. Field numbers, names and `omitempty` are those of k8s.io/api 0.36.
 * `managedFields` is omitted, because clients do not set it.
 */
const KINDS: Readonly<Record<string, Readonly<Record<string, MessageTable>>>> = {
  v1: {
    ConfigMap: configMap,
    Event: event,
    LimitRange: limitRange,
    Namespace: namespace,
    PersistentVolumeClaim: persistentVolumeClaim,
    Pod: pod,
    ResourceQuota: resourceQuota,
    Secret: secret,
    Service: service,
    ServiceAccount: serviceAccount,
  },
  "apps/v1": { DaemonSet: daemonSet, Deployment: deployment, ReplicaSet: replicaSet, StatefulSet: statefulSet },
  "authentication.k8s.io/v1": { SelfSubjectReview: selfSubjectReview, TokenRequest: tokenRequest },
  "authorization.k8s.io/v1": {
    SelfSubjectAccessReview: selfSubjectAccessReview,
    SelfSubjectRulesReview: selfSubjectRulesReview,
  },
  "autoscaling/v1": { HorizontalPodAutoscaler: horizontalPodAutoscalerV1 },
  "autoscaling/v2": { HorizontalPodAutoscaler: horizontalPodAutoscaler },
  "batch/v1": { CronJob: cronJob, Job: job },
  "coordination.k8s.io/v1": { Lease: lease },
  "events.k8s.io/v1": { Event: eventV1 },
  "networking.k8s.io/v1": { Ingress: ingress },
  "policy/v1": { PodDisruptionBudget: podDisruptionBudget },
  "rbac.authorization.k8s.io/v1": {
    ClusterRole: clusterRole,
    ClusterRoleBinding: clusterRoleBinding,
    Role: role,
    RoleBinding: roleBinding,
  },
  "scheduling.k8s.io/v1": { PriorityClass: priorityClass },
};

/** Returns the message table of a kind; undefined if the kind is not supported. */
export function messageOf(apiVersion: string, kind: string): MessageTable | undefined {
  // Clients send DeleteOptions in the apiVersion of the deleted object.
  if (kind === "DeleteOptions") return deleteOptions;
  const kinds = Object.hasOwn(KINDS, apiVersion) ? KINDS[apiVersion] : undefined;
  return kinds !== undefined && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
}
