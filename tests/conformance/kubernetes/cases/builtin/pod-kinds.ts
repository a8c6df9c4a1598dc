import { expectError } from "../../suite/case-response.ts";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";
import { createPod, podSpec, RESERVED, template } from "../../suite/objects.ts";

/** The other kinds of the core group. */
export const POD_KINDS: readonly Case[] = group("core kinds", "requests", [
  [
    "Pod: defaults of the spec and of its containers",
    "core: SetDefaults_PodSpec, SetDefaults_Container",
    async (t) => {
      const containers = [
        { name: "a", image: "a", ports: [{ containerPort: 80 }], livenessProbe: { httpGet: { port: 80 } } },
        { name: "b", image: "b:1" },
      ];
      (
        await createPod(t, "a", { containers, volumes: [{ name: "v", secret: { secretName: "s" } }, { name: "e" }] })
      ).expectShape({
        spec: {
          restartPolicy: "Always",
          dnsPolicy: "ClusterFirst",
          schedulerName: "default-scheduler",
          terminationGracePeriodSeconds: 30,
          securityContext: {},
          enableServiceLinks: true,
          preemptionPolicy: "PreemptLowerPriority",
          priority: 0,
          containers: [
            {
              imagePullPolicy: "Always",
              terminationMessagePath: "/dev/termination-log",
              terminationMessagePolicy: "File",
              resources: {},
              ports: [{ containerPort: 80, protocol: "TCP" }],
              livenessProbe: {
                httpGet: { path: "/", port: 80, scheme: "HTTP" },
                timeoutSeconds: 1,
                periodSeconds: 10,
                successThreshold: 1,
                failureThreshold: 3,
              },
            },
            { imagePullPolicy: "IfNotPresent" },
          ],
          volumes: [
            { name: "v", secret: { secretName: "s", defaultMode: 420 } },
            { name: "e", emptyDir: {} },
          ],
          tolerations: [
            { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
            { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
          ],
        },
        status: { phase: "Pending", qosClass: "BestEffort" },
      });
    },
  ],
  [
    "Pod: requests come from limits, and quantities are canonical",
    "core: SetDefaults_Pod; quantities",
    async (t) => {
      const containers = [{ name: "a", image: "a:1", resources: { limits: { cpu: "1000m", memory: "1024Mi" } } }];
      (await createPod(t, "a", { containers })).expectShape({
        spec: {
          containers: [{ resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1", memory: "1Gi" } } }],
        },
        status: { qosClass: "Guaranteed" },
      });
    },
  ],
  [
    "Pod: common mistakes are invalid, with field paths",
    "core: ValidatePodSpec",
    async (t) => {
      await createPod(t, "first");
      const spec = {
        restartPolicy: "Sometimes",
        containers: [
          { name: "a", image: "a", env: [{ name: "" }], volumeMounts: [{ name: "absent", mountPath: "/x" }] },
          { name: "a", image: "", ports: [{ containerPort: 70_000 }] },
          { name: "B", image: "b", resources: { limits: { cpu: "1" }, requests: { cpu: "2" } } },
        ],
      };
      await expectError(t.create("pods", { metadata: { name: "a" }, spec: podSpec(spec) }), 422, "Invalid", {
        causes: [
          "spec.restartPolicy: FieldValueNotSupported",
          "spec.containers[0].env[0].name: FieldValueRequired",
          "spec.containers[0].volumeMounts[0].name: FieldValueNotFound",
          "spec.containers[1].name: FieldValueDuplicate",
          "spec.containers[1].image: FieldValueRequired",
          "spec.containers[1].ports[0].containerPort: FieldValueInvalid",
          "spec.containers[2].name: FieldValueInvalid",
          "spec.containers[2].resources.requests: FieldValueInvalid",
        ],
      });
      await expectError(t.create("pods", { metadata: { name: "a" }, spec: { containers: [] } }), 422, "Invalid", {
        causes: ["spec.containers: FieldValueRequired"],
      });
    },
  ],
  [
    "Pod: the image may be changed, most other fields of spec may not",
    "core: ValidatePodUpdate",
    async (t) => {
      await createPod(t, "a");
      (
        await t.patch("strategic", "pods/a", { spec: { containers: [{ name: "main", image: "other:2" }] } })
      ).expectShape({
        spec: { containers: [{ image: "other:2" }] },
      });
      await expectError(
        t.patch("strategic", "pods/a", { spec: { containers: [{ name: "main", command: ["x"] }] } }),
        422,
        "Invalid",
        {
          causes: ["spec: FieldValueForbidden"],
          message: /pod updates may not change fields other than/u,
        },
      );
    },
  ],
  [
    "Pod: generation counts changes of spec",
    "KEP-5067: pod generation",
    async (t) => {
      (await createPod(t, "a")).expectShape({ metadata: { generation: 1 } });
      (
        await t.patch("strategic", "pods/a", { spec: { containers: [{ name: "main", image: "other:2" }] } })
      ).expectShape({
        metadata: { generation: 2 },
      });
      (await t.patch("merge", "pods/a", { metadata: { labels: { x: "y" } } })).expectShape({
        metadata: { generation: 2 },
      });
    },
  ],
  [
    "PodTemplate: the template gets the defaults of pods",
    "core: SetObjectDefaults_PodTemplate",
    async (t) => {
      (await t.create("podtemplates", { metadata: { name: "a" }, template: template("a") })).expectShape({
        template: {
          spec: {
            restartPolicy: "Always",
            dnsPolicy: "ClusterFirst",
            containers: [{ imagePullPolicy: "IfNotPresent" }],
          },
        },
      });
    },
  ],
  [
    "ReplicationController: one replica, and labels and selector from the template",
    "core: SetDefaults_ReplicationController",
    async (t) => {
      const response = await t.create(
        "replicationcontrollers",
        { metadata: { name: "a" }, spec: { template: template("a", { nodeName: "nowhere" }) } },
        { dryRun: "All" },
      );
      response.expectShape({ metadata: { labels: { app: "a" } }, spec: { replicas: 1, selector: { app: "a" } } });
      await expectError(
        t.create("replicationcontrollers", {
          metadata: { name: "b" },
          spec: { selector: { app: "b" }, template: template("a") },
        }),
        422,
        "Invalid",
        {
          causes: ["spec.template.metadata.labels: FieldValueInvalid"],
        },
      );
    },
  ],
  [
    "ServiceAccount: secrets and pull secrets are kept",
    "docs: service accounts",
    async (t) => {
      (
        await t.create("serviceaccounts", {
          metadata: { name: "a" },
          imagePullSecrets: [{ name: "p" }],
          automountServiceAccountToken: false,
        })
      ).expectShape({
        imagePullSecrets: [{ name: "p" }],
        automountServiceAccountToken: false,
      });
      await expectError(t.create("serviceaccounts", { metadata: { name: "A" } }), 422, "Invalid", {
        causes: ["metadata.name: FieldValueInvalid"],
      });
    },
  ],
  [
    "Event: it must be in the namespace of its object",
    "core: ValidateEvent",
    async (t) => {
      await expectError(
        t.create("events", { metadata: { name: "a" }, involvedObject: { kind: "Pod", name: "p", namespace: "other" } }),
        422,
        "Invalid",
        {
          causes: ["involvedObject.namespace: FieldValueInvalid"],
        },
      );
    },
  ],
  [
    "Event: one created through the core group is readable in events.k8s.io, converted",
    "events: conversion of core/v1 and events.k8s.io/v1",
    async (t) => {
      const involvedObject = { kind: "Pod", name: "p", namespace: t.namespace };
      await t.create("events", {
        metadata: { name: "a" },
        involvedObject,
        reason: "R",
        message: "hello",
        type: "Normal",
        count: 3,
        source: { component: "c" },
      });
      (await t.get(`/apis/events.k8s.io/v1/namespaces/${t.namespace}/events/a`)).expectShape({
        kind: "Event",
        apiVersion: "events.k8s.io/v1",
        regarding: { kind: "Pod", name: "p" },
        note: "hello",
        reason: "R",
        deprecatedCount: 3,
        deprecatedSource: { component: "c" },
      });
    },
  ],
  [
    "Event of events.k8s.io: controller, instance, action and reason are required",
    "events: ValidateEventCreate",
    async (t) => {
      const path = `/apis/events.k8s.io/v1/namespaces/${t.namespace}/events`;
      const body = {
        apiVersion: "events.k8s.io/v1",
        kind: "Event",
        metadata: { name: "a" },
        regarding: { kind: "Pod", name: "p", namespace: t.namespace },
        type: "Normal",
        eventTime: "2026-01-01T00:00:00.000000Z",
      };
      await expectError(t.create(path, body), 422, "Invalid", {
        causes: [
          "reportingController: FieldValueRequired",
          "reportingController: FieldValueInvalid",
          "reportingInstance: FieldValueRequired",
          "action: FieldValueRequired",
          "reason: FieldValueRequired",
        ],
      });
      const good = {
        ...body,
        reportingController: "example.com/c",
        reportingInstance: "c-1",
        action: "Do",
        reason: "R",
        note: "hello",
      };
      (await t.create(path, good)).expectStatus(201);
      (await t.get("events/a")).expectShape({
        message: "hello",
        reportingComponent: "example.com/c",
        involvedObject: { name: "p" },
      });
    },
  ],
  [
    "Endpoints: addresses are validated",
    "core: ValidateEndpoints",
    async (t) => {
      const subsets = [{ addresses: [{ ip: "nonsense" }], ports: [{ port: 80 }] }];
      await expectError(t.create("endpoints", { metadata: { name: "a" }, subsets }), 422, "Invalid", {
        causes: ["subsets[0].addresses[0].ip: FieldValueInvalid"],
      });
      (
        await t.create("endpoints", {
          metadata: { name: "a" },
          subsets: [{ addresses: [{ ip: "10.0.0.1" }], ports: [{ port: 80 }] }],
        })
      ).expectShape({ subsets: [{ ports: [{ protocol: "TCP" }] }] });
    },
  ],
  [
    "Node: it can be created manually; allocatable defaults to capacity",
    "core: SetDefaults_NodeStatus",
    async (t) => {
      const name = t.unique("node");
      (
        await t.create("nodes", {
          metadata: { name },
          spec: { taints: [RESERVED] },
          status: { capacity: { cpu: "4" } },
        })
      ).expectShape({ status: { capacity: { cpu: "4" }, allocatable: { cpu: "4" } } });
      await expectError(
        t.patch("merge", `nodes/${name}`, { spec: { taints: [{ key: "a", effect: "Nonsense" }] } }),
        422,
        "Invalid",
        {
          causes: ["metadata.taints[0].effect: FieldValueNotSupported"],
        },
      );
    },
  ],
  [
    "PersistentVolume: defaults, and exactly one source",
    "core: SetDefaults_PersistentVolume, ValidatePersistentVolume",
    async (t) => {
      const spec = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } };
      (await t.create("persistentvolumes", { metadata: { name: t.unique("v") }, spec })).expectShape({
        spec: { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem", hostPath: { path: "/x", type: "" } },
        status: { phase: "Pending" },
      });
      await expectError(
        t.create("persistentvolumes", {
          metadata: { name: t.unique("w") },
          spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
        }),
        422,
        "Invalid",
        {
          causes: ["spec: FieldValueRequired"],
          message: /must specify a volume type/u,
        },
      );
    },
  ],
  [
    "PersistentVolumeClaim: defaults, required fields, and an immutable spec",
    "core: ValidatePersistentVolumeClaim",
    async (t) => {
      const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
      (await t.create("persistentvolumeclaims", { metadata: { name: "a" }, spec })).expectShape({
        spec: { volumeMode: "Filesystem" },
        status: { phase: "Pending" },
      });
      await expectError(
        t.patch("merge", "persistentvolumeclaims/a", { spec: { accessModes: ["ReadOnlyMany"] } }),
        422,
        "Invalid",
        { causes: ["spec: FieldValueForbidden"] },
      );
      await expectError(t.create("persistentvolumeclaims", { metadata: { name: "b" }, spec: {} }), 422, "Invalid", {
        causes: ["spec.accessModes: FieldValueRequired", "spec.resources[storage]: FieldValueRequired"],
      });
    },
  ],
  [
    "LimitRange: defaults are derived from limits",
    "core: SetDefaults_LimitRangeItem",
    async (t) => {
      const limits = [{ type: "Container", max: { cpu: "2" }, default: { memory: "1Gi" } }];
      (await t.create("limitranges", { metadata: { name: "a" }, spec: { limits } })).expectShape({
        spec: { limits: [{ default: { cpu: "2", memory: "1Gi" }, defaultRequest: { cpu: "2", memory: "1Gi" } }] },
      });
    },
  ],
  [
    "ResourceQuota: quantities are validated",
    "core: ValidateResourceQuota",
    async (t) => {
      (
        await t.create("resourcequotas", {
          metadata: { name: "a" },
          spec: { hard: { pods: "1000m", "requests.memory": "1024Mi" } },
        })
      ).expectShape({ spec: { hard: { pods: "1", "requests.memory": "1Gi" } } });
      await expectError(
        t.create("resourcequotas", { metadata: { name: "b" }, spec: { hard: { pods: "-1" } } }),
        422,
        "Invalid",
        { causes: ["spec.hard[pods]: FieldValueInvalid"] },
      );
    },
  ],
]);
