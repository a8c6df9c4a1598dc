import type { JsonObject } from "@levelset/core";
import { CONTAINER } from "./pods.ts";
import type { Case } from "./runner.ts";

const LABELS = { app: "a" };
const TEMPLATE: JsonObject = { metadata: { labels: LABELS }, spec: { containers: [CONTAINER] } };
const BASE: JsonObject = { selector: { matchLabels: LABELS }, template: TEMPLATE };

function workload(kind: string, name: string, spec: JsonObject = {}, base = BASE): JsonObject {
  return { apiVersion: "apps/v1", kind, metadata: { name }, spec: { ...base, ...spec } };
}

const KINDS = ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"];

const EACH: readonly Case[] = KINDS.flatMap((kind): readonly Case[] => [
  { name: `a minimal ${kind}`, body: workload(kind, "minimal") },
  { name: `${kind}: no spec`, body: { apiVersion: "apps/v1", kind, metadata: { name: "a" } } },
  { name: `${kind}: no selector`, body: workload(kind, "a", {}, { template: TEMPLATE }) },
  {
    name: `${kind}: an empty selector`,
    body: workload(kind, "a", { selector: {} }),
    messageDifference: "kube-apiserver prints a Go struct",
  },
  { name: `${kind}: labels that do not match`, body: workload(kind, "a", { selector: { matchLabels: { app: "b" } } }) },
  {
    name: `${kind}: an invalid selector`,
    body: workload(kind, "a", { selector: { matchExpressions: [{ key: "a", operator: "Like" }] } }),
    messageDifference: "kube-apiserver prints a Go struct",
  },
  {
    name: `${kind}: a template without containers`,
    body: workload(kind, "a", { template: { metadata: { labels: LABELS }, spec: {} } }),
  },
  {
    name: `${kind}: a template with another restart policy than Always`,
    body: workload(kind, "a", {
      template: { ...TEMPLATE, spec: { containers: [CONTAINER], restartPolicy: "Never", activeDeadlineSeconds: 5 } },
    }),
  },
  { name: `${kind}: an invalid name`, body: workload(kind, "A.b") },
  { name: `${kind}: negative seconds`, body: workload(kind, "a", { minReadySeconds: -1 }) },
  {
    name: `${kind}: labels of the template`,
    body: workload(kind, "a", {
      template: {
        metadata: { labels: { ...LABELS, "a b": "c d" }, annotations: { "x y": "" } },
        spec: { containers: [CONTAINER] },
      },
    }),
  },
  {
    name: `${kind}: the selector is immutable`,
    body: workload(kind, "selector-stays"),
    changes: [
      {
        merge: { spec: { selector: { matchLabels: { app: "b" } }, template: { metadata: { labels: { app: "b" } } } } },
      },
      { merge: { spec: { minReadySeconds: 3 } } },
      { merge: { metadata: { annotations: { a: "b" } } } },
      { merge: { metadata: { labels: { a: "b" } } } },
      { merge: { spec: { template: { spec: { containers: [{ name: "main", image: "nginx:2" }] } } } } },
      { merge: { status: { observedGeneration: 9 } } },
      {
        part: "status",
        merge: { metadata: { labels: { x: "y" }, annotations: { x: "y" } }, status: { observedGeneration: 2 } },
      },
      { part: "status", merge: { status: { observedGeneration: -1 } } },
    ],
    messageDifference: "kube-apiserver prints a Go struct",
  },
]);

const DEPLOYMENTS: readonly Case[] = [
  { name: "Deployment: replicas below zero", body: workload("Deployment", "a", { replicas: -1 }) },
  {
    name: "Deployment: zero replicas",
    body: workload("Deployment", "a", { replicas: 0, paused: false, minReadySeconds: 0 }),
  },
  { name: "Deployment: Recreate", body: workload("Deployment", "a", { strategy: { type: "Recreate" } }) },
  {
    name: "Deployment: an empty strategy",
    body: workload("Deployment", "a", { strategy: { rollingUpdate: { maxSurge: 2 } } }),
  },
  {
    name: "Deployment: Recreate with a rolling update",
    body: workload("Deployment", "a", { strategy: { type: "Recreate", rollingUpdate: {} } }),
  },
  {
    name: "Deployment: an unknown strategy",
    body: workload("Deployment", "a", { strategy: { type: "Slow" } }),
    messageDifference: "kube-apiserver prints a Go struct",
  },
  {
    name: "Deployment: maxSurge and maxUnavailable of zero",
    body: workload("Deployment", "a", { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: "0%" } } }),
  },
  {
    name: "Deployment: more than 100%",
    body: workload("Deployment", "a", { strategy: { rollingUpdate: { maxUnavailable: "101%" } } }),
  },
  {
    name: "Deployment: an invalid percentage",
    body: workload("Deployment", "a", { strategy: { rollingUpdate: { maxSurge: "half" } } }),
  },
  {
    name: "Deployment: a deadline too short",
    body: workload("Deployment", "a", { progressDeadlineSeconds: 5, minReadySeconds: 5 }),
  },
  {
    name: "Deployment: counts of its status",
    body: workload("Deployment", "counts"),
    changes: [
      {
        part: "status",
        merge: { status: { replicas: 2, readyReplicas: 2, availableReplicas: 1, updatedReplicas: 0 } },
      },
      { part: "status", merge: { status: { readyReplicas: 3 } } },
      { part: "status", merge: { status: { availableReplicas: 2, readyReplicas: 1 } } },
    ],
  },
];

const CLAIM: JsonObject = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } },
};

const SETS: readonly Case[] = [
  {
    name: "StatefulSet: claims count as volumes",
    body: workload("StatefulSet", "claims", {
      serviceName: "svc",
      volumeClaimTemplates: [CLAIM],
      template: {
        ...TEMPLATE,
        spec: { containers: [{ ...CONTAINER, volumeMounts: [{ name: "data", mountPath: "/d" }] }] },
      },
    }),
  },
  {
    name: "StatefulSet: a claim without a size",
    body: workload("StatefulSet", "a", { volumeClaimTemplates: [{ metadata: { name: "x" }, spec: {} }] }),
  },
  { name: "StatefulSet: OnDelete", body: workload("StatefulSet", "a", { updateStrategy: { type: "OnDelete" } }) },
  {
    name: "StatefulSet: RollingUpdate",
    body: workload("StatefulSet", "a", { updateStrategy: { type: "RollingUpdate" } }),
  },
  {
    name: "StatefulSet: a partition",
    body: workload("StatefulSet", "a", { updateStrategy: { rollingUpdate: { partition: -1 } } }),
  },
  {
    name: "StatefulSet: an unknown strategy",
    body: workload("StatefulSet", "a", { updateStrategy: { type: "Slow" } }),
    messageDifference: "kube-apiserver prints a Go struct",
  },
  { name: "StatefulSet: an unknown management", body: workload("StatefulSet", "a", { podManagementPolicy: "Any" }) },
  { name: "StatefulSet: an invalid service name", body: workload("StatefulSet", "a", { serviceName: "A_b" }) },
  {
    name: "StatefulSet: an unknown retention",
    body: workload("StatefulSet", "a", { persistentVolumeClaimRetentionPolicy: { whenScaled: "Never" } }),
  },
  { name: "StatefulSet: ordinals", body: workload("StatefulSet", "a", { ordinals: { start: -1 } }) },
  {
    name: "StatefulSet: most fields are immutable",
    body: workload("StatefulSet", "stays", { serviceName: "svc" }),
    changes: [
      { merge: { spec: { serviceName: "other" } } },
      { merge: { spec: { volumeClaimTemplates: [CLAIM] } } },
      { merge: { spec: { replicas: 3, ordinals: { start: 1 }, revisionHistoryLimit: 3 } } },
      { merge: { spec: { podManagementPolicy: "Parallel" } } },
    ],
  },
  { name: "DaemonSet: OnDelete", body: workload("DaemonSet", "a", { updateStrategy: { type: "OnDelete" } }) },
  {
    name: "DaemonSet: both",
    body: workload("DaemonSet", "a", { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }),
  },
  {
    name: "DaemonSet: neither",
    body: workload("DaemonSet", "a", { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
  },
  {
    name: "DaemonSet: an unknown strategy",
    body: workload("DaemonSet", "a", { updateStrategy: { type: "Slow" } }),
    messageDifference: "kube-apiserver prints a Go struct",
  },
  { name: "ReplicaSet: replicas below zero", body: workload("ReplicaSet", "a", { replicas: -1 }) },
  {
    name: "a controller revision",
    body: {
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: { name: "rev" },
      revision: 1,
      data: { a: { b: 0 } },
    },
    changes: [{ merge: { revision: 2 } }, { merge: { data: { a: 1 } } }],
    messageDifference: "kube-apiserver prints raw bytes",
  },
  {
    name: "a controller revision below zero",
    body: { apiVersion: "apps/v1", kind: "ControllerRevision", metadata: { name: "rev" }, revision: -1 },
  },
];

function core(kind: string, name: string, fields: JsonObject): JsonObject {
  return { apiVersion: "v1", kind, metadata: { name }, ...fields };
}

const OLD: readonly Case[] = [
  {
    name: "a minimal ReplicationController",
    body: core("ReplicationController", "minimal", { spec: { template: TEMPLATE } }),
  },
  { name: "ReplicationController: no template", body: core("ReplicationController", "a", { spec: {} }) },
  {
    name: "ReplicationController: labels that do not match",
    body: core("ReplicationController", "a", { spec: { selector: { b: "c" }, template: TEMPLATE } }),
  },
  {
    name: "ReplicationController: a template with another restart policy than Always",
    body: core("ReplicationController", "a", {
      spec: { template: { ...TEMPLATE, spec: { containers: [CONTAINER], restartPolicy: "Never" } } },
    }),
  },
  {
    name: "a PodTemplate",
    body: core("PodTemplate", "minimal", { template: TEMPLATE }),
    changes: [{ merge: { template: { metadata: { labels: { c: "d" } } } } }],
  },
  { name: "PodTemplate: empty", body: core("PodTemplate", "a", {}) },
];

/** Valid and invalid workloads. */
export const WORKLOADS: readonly Case[] = [...EACH, ...DEPLOYMENTS, ...SETS, ...OLD];
