import type { JsonObject } from "@levelset/core";
import type { Case } from "./runner.ts";

/** A minimal container. */
export const CONTAINER: JsonObject = { name: "main", image: "nginx" };

/** Returns a pod with one container and this spec. */
export function pod(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name, ...metadata }, spec: { containers: [CONTAINER], ...spec } };
}

function withContainer(name: string, fields: JsonObject, spec: JsonObject = {}): JsonObject {
  return pod(name, { containers: [{ ...CONTAINER, ...fields }], ...spec });
}

const images = [
  "nginx",
  "nginx:1.2",
  "nginx:latest",
  "nginx@sha256:" + "0123456789abcdef".repeat(4),
  "example.com:5000/a/b:v1",
  "example.com:5000/a/b",
  "Not An Image",
];

const RICH = pod(
  "rich",
  {
    containers: [
      {
        name: "main",
        image: "nginx:1.27",
        command: ["run"],
        args: [],
        env: [
          { name: "A", value: "" },
          { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
          { name: "CPU", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
          { name: "KEY", valueFrom: { secretKeyRef: { name: "s", key: "k", optional: false } } },
        ],
        envFrom: [{ prefix: "P_", configMapRef: { name: "c" } }, { secretRef: { name: "s" } }],
        ports: [
          { containerPort: 80, name: "http" },
          { containerPort: 53, protocol: "UDP", hostPort: 0 },
        ],
        resources: { limits: { cpu: "1000m", memory: "1024Mi" }, requests: { cpu: 0.5 } },
        livenessProbe: { httpGet: { port: "http" }, initialDelaySeconds: 0 },
        readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: 3 },
        startupProbe: { grpc: { port: 9000 }, failureThreshold: 30 },
        lifecycle: { preStop: { sleep: { seconds: 3 } }, postStart: { exec: { command: ["x"] } } },
        volumeMounts: [
          { name: "data", mountPath: "/data", readOnly: false },
          { name: "config", mountPath: "/config", subPath: "a/b" },
        ],
        securityContext: { runAsUser: 1000, capabilities: { drop: ["ALL"] }, privileged: false },
        stdin: false,
        tty: true,
      },
    ],
    initContainers: [
      { name: "init", image: "busybox" },
      { name: "sidecar", image: "busybox", restartPolicy: "Always", livenessProbe: { exec: { command: ["a"] } } },
    ],
    volumes: [
      { name: "data" },
      { name: "config", configMap: { name: "c", items: [{ key: "a", path: "b" }] } },
      { name: "secret", secret: { secretName: "s" } },
      { name: "down", downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] } },
      { name: "host", hostPath: { path: "/tmp" } },
      { name: "all", projected: { sources: [{ configMap: { name: "c" } }, { secret: { name: "s" } }] } },
      { name: "scratch", emptyDir: { medium: "", sizeLimit: "1000Mi" } },
      { name: "claim", persistentVolumeClaim: { claimName: "p", readOnly: false } },
      {
        name: "own",
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        },
      },
    ],
    nodeSelector: { disk: "ssd" },
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }],
        },
      },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 5, podAffinityTerm: { topologyKey: "zone", labelSelector: { matchLabels: { a: "b" } } } },
        ],
      },
    },
    tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule" }],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "zone",
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: { matchLabels: { a: "b" } },
      },
    ],
    hostAliases: [{ ip: "10.1.2.3", hostnames: ["a.b"] }],
    dnsConfig: { nameservers: ["10.0.0.1"], searches: ["a.b"], options: [{ name: "ndots", value: "2" }] },
    imagePullSecrets: [{ name: "pull" }],
    automountServiceAccountToken: false,
    shareProcessNamespace: false,
    hostNetwork: false,
    serviceAccount: "robot",
    terminationGracePeriodSeconds: 5,
    activeDeadlineSeconds: 100,
    readinessGates: [{ conditionType: "example.com/ready" }],
  },
  { labels: { app: "rich" }, annotations: {}, finalizers: [] },
);

const VALID: readonly Case[] = [
  { name: "a minimal pod", body: pod("minimal") },
  { name: "a rich pod", body: RICH },
  ...images.map((image, index): Case => ({
    name: `the image ${image}`,
    body: withContainer(`image-${index}`, { image }),
  })),
  { name: "a guaranteed pod", body: withContainer("guaranteed", { resources: { limits: { cpu: 1, memory: "1Gi" } } }) },
  { name: "a burstable pod", body: withContainer("burstable", { resources: { requests: { cpu: "100m" } } }) },
  {
    name: "small quantities are rounded up",
    body: withContainer("fine", { resources: { requests: { cpu: "0.1m" } } }),
  },
  {
    name: "the node's network",
    body: withContainer("host-network", { ports: [{ containerPort: 80 }] }, { hostNetwork: true }),
  },
  { name: "a pod with a scheduling gate", body: pod("gated", { schedulingGates: [{ name: "example.com/gate" }] }) },
  { name: "a system priority class", body: pod("critical", { priorityClassName: "system-node-critical" }) },
  { name: "tolerations that cover nodes", body: pod("tolerant", { tolerations: [{ operator: "Exists" }] }) },
  { name: "nulls are absent", body: pod("nulls", { nodeSelector: null, volumes: null, restartPolicy: null }) },
  { name: "generateName", body: { ...pod(""), metadata: { name: "fixed", generateName: "fix-" } } },
  { name: "an empty status", body: { ...pod("with-status"), status: { phase: "Running" } } },
];

const INVALID: readonly Case[] = [
  { name: "no spec", body: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } } },
  { name: "no containers", body: pod("no-containers", { containers: [] }) },
  { name: "no name and no image", body: pod("nameless", { containers: [{}] }) },
  { name: "a container's name is a label", body: withContainer("a", { name: "A_b" }) },
  { name: "a pod's name is a subdomain", body: pod("A_b") },
  { name: "containers of the same name", body: pod("twice", { containers: [CONTAINER, CONTAINER] }) },
  { name: "an init container of the same name", body: pod("twice", { initContainers: [CONTAINER] }) },
  { name: "an unknown restart policy", body: pod("a", { restartPolicy: "Sometimes" }) },
  { name: "an unknown DNS policy", body: pod("a", { dnsPolicy: "Mine" }) },
  { name: "dnsPolicy None without nameservers", body: pod("a", { dnsPolicy: "None" }) },
  { name: "an unknown pull policy", body: withContainer("a", { imagePullPolicy: "Often" }) },
  { name: "an image with spaces around", body: withContainer("a", { image: " nginx " }) },
  { name: "a mount without a volume", body: withContainer("a", { volumeMounts: [{ name: "x", mountPath: "/x" }] }) },
  {
    name: "two mounts at the same path",
    body: withContainer(
      "a",
      {
        volumeMounts: [
          { name: "v", mountPath: "/x" },
          { name: "v", mountPath: "/x" },
        ],
      },
      { volumes: [{ name: "v" }] },
    ),
  },
  {
    name: "a mount without a path",
    body: withContainer("a", { volumeMounts: [{ name: "v" }] }, { volumes: [{ name: "v" }] }),
  },
  { name: "two sources", body: pod("a", { volumes: [{ name: "v", emptyDir: {}, hostPath: { path: "/" } }] }) },
  { name: "volumes of the same name", body: pod("a", { volumes: [{ name: "v" }, { name: "v" }] }) },
  { name: "a volume without a name", body: pod("a", { volumes: [{ emptyDir: {} }] }) },
  { name: "a secret without a name", body: pod("a", { volumes: [{ name: "v", secret: {} }] }) },
  { name: "a claim without a name", body: pod("a", { volumes: [{ name: "v", persistentVolumeClaim: {} }] }) },
  {
    name: "a mode out of range",
    body: pod("a", { volumes: [{ name: "v", secret: { secretName: "s", defaultMode: 9999 } }] }),
  },
  {
    name: "a path with parent references",
    body: pod("a", { volumes: [{ name: "v", configMap: { name: "c", items: [{ key: "k", path: "../x" }] } }] }),
  },
  {
    name: "a host path of an unknown type",
    body: pod("a", { volumes: [{ name: "v", hostPath: { path: "/", type: "Door" } }] }),
  },
  { name: "an env without a name", body: withContainer("a", { env: [{ value: "x" }] }) },
  { name: "an env with an equals sign", body: withContainer("a", { env: [{ name: "a=b" }] }) },
  {
    name: "an env with two values",
    body: withContainer("a", {
      env: [{ name: "A", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
    }),
  },
  { name: "an env from nowhere", body: withContainer("a", { env: [{ name: "A", valueFrom: {} }] }) },
  { name: "envFrom nothing", body: withContainer("a", { envFrom: [{}] }) },
  {
    name: "an invalid field path",
    body: withContainer("a", { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "spec.colour" } } }] }),
  },
  {
    name: "a field that is not available as env",
    body: withContainer("a", { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.labels" } } }] }),
  },
  {
    name: "a key without a secret",
    body: withContainer("a", { env: [{ name: "A", valueFrom: { secretKeyRef: { key: "a b" } } }] }),
  },
  { name: "a port of zero", body: withContainer("a", { ports: [{ containerPort: 0 }] }) },
  { name: "a port too large", body: withContainer("a", { ports: [{ containerPort: 70_000 }] }) },
  {
    name: "a port's name is too long",
    body: withContainer("a", { ports: [{ containerPort: 1, name: "a-very-long-port-name" }] }),
  },
  { name: "a port's name has no letter", body: withContainer("a", { ports: [{ containerPort: 1, name: "1--2" }] }) },
  {
    name: "ports of the same name",
    body: withContainer("a", {
      ports: [
        { containerPort: 1, name: "x" },
        { containerPort: 2, name: "x" },
      ],
    }),
  },
  {
    name: "host ports that collide",
    body: withContainer("a", {
      ports: [
        { containerPort: 1, hostPort: 9 },
        { containerPort: 2, hostPort: 9 },
      ],
    }),
  },
  { name: "an unknown protocol", body: withContainer("a", { ports: [{ containerPort: 1, protocol: "ICMP" }] }) },
  { name: "a probe without a handler", body: withContainer("a", { livenessProbe: {} }) },
  {
    name: "a probe with two handlers",
    body: withContainer("a", { livenessProbe: { exec: { command: ["a"] }, tcpSocket: { port: 1 } } }),
  },
  {
    name: "a liveness probe that wants two successes",
    body: withContainer("a", { livenessProbe: { tcpSocket: { port: 1 }, successThreshold: 2 } }),
  },
  { name: "a probe without a port", body: withContainer("a", { readinessProbe: { httpGet: {} } }) },
  {
    name: "a negative delay",
    body: withContainer("a", { readinessProbe: { tcpSocket: { port: 1 }, initialDelaySeconds: -1 } }),
  },
  { name: "an exec without a command", body: withContainer("a", { livenessProbe: { exec: {} } }) },
  {
    name: "a probe of an init container",
    body: pod("a", { initContainers: [{ name: "i", image: "x", livenessProbe: { tcpSocket: { port: 1 } } }] }),
  },
  {
    name: "a request above its limit",
    body: withContainer("a", { resources: { limits: { cpu: "1" }, requests: { cpu: "2" } } }),
  },
  { name: "a negative amount", body: withContainer("a", { resources: { limits: { cpu: "-1" } } }) },
  { name: "an unknown resource", body: withContainer("a", { resources: { limits: { speed: "1" } } }) },
  { name: "part of a device", body: withContainer("a", { resources: { limits: { "example.com/gpu": "500m" } } }) },
  {
    name: "a device without a limit",
    body: withContainer("a", { resources: { requests: { "example.com/gpu": "1" } } }),
  },
  { name: "an invalid quantity", body: withContainer("a", { resources: { limits: { cpu: "much" } } }) },
  { name: "an unknown toleration", body: pod("a", { tolerations: [{ key: "a", operator: "Like" }] }) },
  { name: "a toleration without a key", body: pod("a", { tolerations: [{ operator: "Equal" }] }) },
  {
    name: "seconds without NoExecute",
    body: pod("a", { tolerations: [{ key: "a", operator: "Exists", tolerationSeconds: 1 }] }),
  },
  {
    name: "a node selector without values",
    body: pod("a", {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In" }] }],
          },
        },
      },
    }),
  },
  {
    name: "an affinity without a topology",
    body: pod("a", { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } } }),
  },
  {
    name: "an invalid spread constraint",
    body: pod("a", { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "", whenUnsatisfiable: "No" }] }),
  },
  { name: "a host alias without an address", body: pod("a", { hostAliases: [{ ip: "here", hostnames: ["A_"] }] }) },
  { name: "an invalid host name", body: pod("a", { hostname: "a.b", subdomain: "C" }) },
  { name: "a deadline of zero", body: pod("a", { activeDeadlineSeconds: 0 }) },
  { name: "a user below zero", body: pod("a", { securityContext: { runAsUser: -1 } }) },
  { name: "seccomp without a file", body: pod("a", { securityContext: { seccompProfile: { type: "Localhost" } } }) },
  { name: "an unknown priority class", body: pod("a", { priorityClassName: "vip" }) },
  { name: "an invalid node label", body: pod("a", { nodeSelector: { "a b": "c d" } }) },
  { name: "ephemeral containers from the start", body: pod("a", { ephemeralContainers: [{ name: "e", image: "x" }] }) },
  { name: "a wrong type", body: pod("a", { hostNetwork: "yes" }), messageDifference: "Go names its own types" },
];

const CHANGED: readonly Case[] = [
  {
    name: "a pod's image, labels and deadline may change",
    body: pod("change-1"),
    changes: [
      { merge: { metadata: { labels: { a: "b" } } } },
      { merge: { spec: { containers: [{ name: "main", image: "nginx:2" }] } } },
      { merge: { spec: { containers: [{ name: "main", image: "nginx:3", imagePullPolicy: "Always" }] } } },
      { merge: { spec: { activeDeadlineSeconds: 30 } } },
      { merge: { spec: { activeDeadlineSeconds: 60 } } },
    ],
    messageDifference: "kube-apiserver prints a Go diff",
  },
  {
    name: "other fields of a pod are immutable",
    body: pod("change-2"),
    changes: [
      { merge: { spec: { containers: [{ name: "main", image: "nginx", env: [{ name: "A", value: "b" }] }] } } },
      { merge: { spec: { containers: [CONTAINER, { name: "b", image: "x" }] } } },
      { merge: { spec: { restartPolicy: "Never" } } },
      { merge: { spec: { tolerations: [] } } },
      { merge: { spec: { nodeName: "n" } } },
    ],
    messageDifference: "kube-apiserver prints a Go diff",
  },
  {
    name: "the status of a pod is a subresource",
    body: pod("change-3", {}, { labels: { a: "b" } }),
    changes: [
      {
        part: "status",
        merge: {
          metadata: { labels: { c: "d" }, annotations: { e: "f" } },
          status: { phase: "Running", podIP: "10.1.1.1", conditions: [{ type: "Ready", status: "True" }] },
        },
      },
      { part: "status", merge: { status: { qosClass: "Guaranteed" } } },
      { part: "status", merge: { spec: { restartPolicy: "Never" }, status: { message: "hi" } } },
      { merge: { status: { phase: "Failed" } } },
    ],
  },
  {
    name: "scheduling gates can be removed but not added",
    body: pod("change-4", { schedulingGates: [{ name: "a.b/c" }] }),
    changes: [
      { merge: { spec: { nodeSelector: { a: "b" } } } },
      { merge: { spec: { schedulingGates: [{ name: "a.b/d" }] } } },
      { merge: { spec: { schedulingGates: null } } },
    ],
  },
];

/** Pods, good and bad. */
/** Updates as sent by `kubectl replace`, which may lack defaulted fields. */
const REPLACED: readonly Case[] = [
  {
    name: "a pod replaced by its manifest, by itself, and with another image",
    body: pod("replaced"),
    changes: [
      { replace: pod("replaced") },
      { replace: "as read" },
      { replace: withContainer("replaced", { image: "nginx:latest" }) },
    ],
  },
  {
    name: "a pod with a system class replaced without and with its class",
    body: pod("classed", { priorityClassName: "system-node-critical" }),
    changes: [
      { replace: pod("classed") },
      { replace: pod("classed", { priorityClassName: "system-node-critical" }) },
      { replace: pod("classed", { priorityClassName: "system-node-critical", priority: 7 }) },
    ],
    messageDifference: "kube-apiserver prints a Go diff",
  },
  {
    name: "a pod on a node replaced without its node",
    body: pod("placed", { nodeName: "elsewhere" }),
    changes: [{ replace: pod("placed") }, { replace: pod("placed", { nodeName: "elsewhere" }) }],
    messageDifference: "kube-apiserver prints a Go diff",
  },
  { name: "a pod with another preemption policy than its class", body: pod("never", { preemptionPolicy: "Never" }) },
  {
    name: "a pod with the preemption policy of its class",
    body: pod("lower", { preemptionPolicy: "PreemptLowerPriority" }),
  },
];

export const PODS: readonly Case[] = [...VALID, ...INVALID, ...CHANGED, ...REPLACED];
