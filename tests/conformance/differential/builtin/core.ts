import type { JsonObject } from "@levelset/core";
import type { Case } from "./runner.ts";
import { service } from "./services.ts";

function core(kind: string, name: string, fields: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind, metadata: { name, ...metadata }, ...fields };
}

const OTHERS: readonly Case[] = [
  {
    name: "a service account",
    body: core("ServiceAccount", "robot", {
      secrets: [{ name: "s", kind: "Secret" }],
      imagePullSecrets: [{ name: "p" }],
      automountServiceAccountToken: false,
    }),
  },
  { name: "a service account of a wrong name", body: core("ServiceAccount", "A_b") },
  {
    name: "an event",
    body: core("Event", "e.1", {
      involvedObject: { kind: "Pod", name: "a", namespace: "differential" },
      reason: "R",
      message: "M",
      type: "Normal",
      count: 1,
      firstTimestamp: "2026-01-01T01:00:00+01:00",
    }),
  },
  {
    name: "an event about another namespace",
    body: core("Event", "e.2", { involvedObject: { kind: "Pod", name: "a", namespace: "other" } }),
  },
  { name: "an event without an object", body: core("Event", "e.3") },
  {
    name: "an event with a time and no reporter",
    body: core("Event", "e.4", {
      involvedObject: { namespace: "differential" },
      eventTime: "2026-01-01T00:00:00.500000Z",
    }),
  },
  {
    name: "an event with a rough time",
    body: core("Event", "e.6", { involvedObject: { namespace: "differential" }, eventTime: "2026-01-01T00:00:00Z" }),
  },
  {
    name: "a full event with a time",
    body: core("Event", "e.5", {
      involvedObject: { namespace: "differential" },
      eventTime: "2026-01-01T00:00:00.123456Z",
      reportingComponent: "a.b/c",
      reportingInstance: "i",
      action: "A",
      reason: "R",
      type: "Warning",
    }),
  },
  {
    name: "endpoints",
    body: core("Endpoints", "ep", { subsets: [{ addresses: [{ ip: "10.1.2.3" }], ports: [{ port: 80 }] }] }),
  },
  {
    name: "invalid endpoints",
    body: core("Endpoints", "ep", {
      subsets: [{ addresses: [{ ip: "127.0.0.1" }, { ip: "x" }], ports: [{ port: 0 }, { port: 1, name: "A" }] }, {}],
    }),
  },
  {
    name: "a node",
    body: core("Node", "node-1", {
      spec: { taints: [{ key: "a", effect: "NoSchedule" }] },
      status: { capacity: { cpu: "4", memory: "8192Mi" } },
    }),
    changes: [
      { merge: { spec: { unschedulable: true, providerID: "p://1" } } },
      { merge: { spec: { providerID: "p://2" } } },
      { merge: { spec: { podCIDR: "10.1.0.0/24" } } },
      {
        part: "status",
        merge: {
          status: {
            conditions: [{ type: "Ready", status: "True" }],
            addresses: [{ type: "InternalIP", address: "1.1.1.1" }],
          },
        },
      },
      { part: "status", merge: { status: { capacity: { cpu: "-1" } } } },
    ],
  },
  {
    name: "a node with invalid taints",
    body: core("Node", "node-2", {
      spec: {
        taints: [
          { key: "a b", effect: "Go" },
          { key: "a", effect: "NoSchedule" },
          { key: "a", effect: "NoSchedule" },
        ],
      },
    }),
    messageDifference: "kube-apiserver prints a Go struct",
  },
  {
    name: "a limit range",
    body: core("LimitRange", "lr", {
      spec: {
        limits: [
          { type: "Container", max: { cpu: "2" }, min: { memory: "64Mi" } },
          { type: "Pod", max: { cpu: "4" } },
        ],
      },
    }),
  },
  {
    name: "a contradictory limit range",
    body: core("LimitRange", "lr", { spec: { limits: [{ type: "Container", max: { cpu: "1" }, min: { cpu: "2" } }] } }),
  },
  {
    name: "a limit range of wrong types",
    body: core("LimitRange", "lr", {
      spec: {
        limits: [
          { type: "Thing" },
          { type: "Pod", default: { cpu: "1" } },
          { type: "PersistentVolumeClaim" },
          { type: "Container", max: { speed: "1" } },
        ],
      },
    }),
  },
  { name: "an empty limit range", body: core("LimitRange", "lr", { spec: { limits: [] } }) },
  {
    name: "a quota",
    body: core("ResourceQuota", "rq", {
      spec: { hard: { pods: "10", "requests.cpu": "4000m", "count/deployments.apps": "3" } },
    }),
    changes: [
      { merge: { spec: { hard: { pods: "20" } } } },
      { merge: { spec: { scopes: ["Terminating"], hard: null } } },
      { part: "status", merge: { status: { hard: { pods: "20" }, used: { pods: "1" } } } },
    ],
  },
  {
    name: "an invalid quota",
    body: core("ResourceQuota", "rq", {
      spec: { hard: { pods: "-1", speed: "1", services: "500m" }, scopes: ["Terminating", "NotTerminating", "Odd"] },
    }),
  },
  {
    name: "a quota with a scope selector",
    body: core("ResourceQuota", "rq", {
      spec: {
        hard: { pods: "1" },
        scopeSelector: {
          matchExpressions: [
            { scopeName: "PriorityClass", operator: "In" },
            { scopeName: "Terminating", operator: "In", values: ["a"] },
          ],
        },
      },
    }),
  },
];

const claim = (name: string, spec: JsonObject): JsonObject => core("PersistentVolumeClaim", name, { spec });
const CLAIM: JsonObject = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } };
const volume = (name: string, spec: JsonObject): JsonObject => core("PersistentVolume", name, { spec });
const VOLUME: JsonObject = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } };

const STORAGE: readonly Case[] = [
  {
    name: "a claim",
    body: claim("claim", CLAIM),
    changes: [
      { merge: { spec: { resources: { requests: { storage: "2Gi" } } } } },
      { merge: { spec: { accessModes: ["ReadOnlyMany"] } } },
      { merge: { spec: { storageClassName: "fast" } } },
      { merge: { spec: { storageClassName: "slow" } } },
      { part: "status", merge: { status: { phase: "Bound", capacity: { storage: "1Gi" } } } },
      { merge: { metadata: { labels: { a: "b" } } } },
    ],
    messageDifference: "kube-apiserver prints a Go diff",
  },
  { name: "a claim without a class", body: claim("classless", { ...CLAIM, storageClassName: "" }) },
  {
    name: "a claim from a snapshot",
    body: claim("restored", {
      ...CLAIM,
      dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" },
    }),
  },
  { name: "an empty claim", body: claim("a", {}) },
  { name: "a claim without resources", body: claim("a", { ...CLAIM, resources: { requests: { storage: "0" } } }) },
  {
    name: "a claim of wrong modes",
    body: claim("a", { ...CLAIM, accessModes: ["ReadWriteOncePod", "ReadWriteMany", "X"], volumeMode: "Tape" }),
  },
  { name: "a claim of a wrong class", body: claim("a", { ...CLAIM, storageClassName: "A_b" }) },
  {
    name: "a volume of a host",
    body: volume("v-1", { ...VOLUME, hostPath: { path: "/tmp" }, storageClassName: "" }),
    changes: [
      { merge: { spec: { hostPath: { path: "/var" } } } },
      { merge: { spec: { persistentVolumeReclaimPolicy: "Delete" } } },
      { merge: { spec: { volumeMode: "Block" } } },
      { part: "status", merge: { status: { phase: "Available" } } },
    ],
    messageDifference: "kube-apiserver prints a Go diff",
  },
  {
    name: "a volume of a driver",
    body: volume("v-2", { ...VOLUME, csi: { driver: "a.b", volumeHandle: "h", readOnly: false } }),
  },
  {
    name: "a volume of NFS",
    body: volume("v-3", { ...VOLUME, nfs: { server: "s", path: "/p" }, mountOptions: ["a"] }),
  },
  { name: "a volume without a source", body: volume("a", {}) },
  {
    name: "a volume with two sources",
    body: volume("a", { ...VOLUME, hostPath: { path: "/" }, nfs: { server: "s", path: "/p" } }),
  },
  { name: "a volume of a disk without a node", body: volume("a", { ...VOLUME, local: { path: "/d" } }) },
  { name: "a volume of an incomplete driver", body: volume("a", { ...VOLUME, csi: {} }) },
  {
    name: "a volume with a wrong policy",
    body: volume("a", { ...VOLUME, hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Burn" }),
  },
  {
    name: "a volume without a size",
    body: volume("a", { accessModes: ["ReadWriteOnce"], capacity: { cpu: "1" }, hostPath: { path: "/" } }),
    messageDifference: "kube-apiserver prints a Go map",
  },
];

/** A value as a Secret holds it. */
const encoded = (text: string): string => Buffer.from(text).toString("base64");

const SECRETS: readonly Case[] = [
  {
    name: "a TLS secret without a key",
    body: core("Secret", "tls", { type: "kubernetes.io/tls", data: { "tls.crt": "" } }),
  },
  ...["a", "no base64!", "YQ", "YWI=x", ""].map((value, index): Case => ({
    name: `bytes ${JSON.stringify(value)}`,
    body: core("Secret", `bytes-${index}`, { data: { a: value } }),
  })),
  {
    name: "a number out of range",
    body: service("a", { ports: [{ port: 3_000_000_000 }] }),
    messageDifference: "Go names its own types",
  },
  { name: "a basic-auth secret without anything", body: core("Secret", "basic", { type: "kubernetes.io/basic-auth" }) },
  { name: "an ssh secret without a key", body: core("Secret", "ssh", { type: "kubernetes.io/ssh-auth" }) },
  {
    name: "a docker secret that is not JSON",
    body: core("Secret", "docker", {
      type: "kubernetes.io/dockerconfigjson",
      data: { ".dockerconfigjson": encoded("no") },
    }),
    messageDifference: "Go has other messages for JSON errors",
  },
  {
    name: "a token without an account",
    body: core("Secret", "token", { type: "kubernetes.io/service-account-token" }),
  },
  {
    name: "a secret's type stays",
    body: core("Secret", "typed", { stringData: { a: "b" } }),
    changes: [{ merge: { type: "other" } }],
  },
];

/** The other kinds of the core group, good and bad. */
export const CORE: readonly Case[] = [...OTHERS, ...STORAGE, ...SECRETS];
