import { expectError } from "../../suite/case-response.ts";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";

const IMMUTABLE = /field is immutable/u;

/** Kinds of all other groups. */
export const OTHER_KINDS: readonly Case[] = group("other kinds", "requests", [
  [
    "Lease: durations are positive",
    "coordination: ValidateLease",
    async (t) => {
      await expectError(
        t.create("leases", { metadata: { name: "a" }, spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }),
        422,
        "Invalid",
        {
          causes: ["spec.leaseDurationSeconds: FieldValueInvalid", "spec.leaseTransitions: FieldValueInvalid"],
        },
      );
      (
        await t.create("leases", { metadata: { name: "a" }, spec: { renewTime: "2026-01-02T03:04:05.123456Z" } })
      ).expectShape({
        spec: { renewTime: "2026-01-02T03:04:05.123456Z" },
      });
    },
  ],
  [
    "EndpointSlice: ports have defaults, the address type is required and immutable",
    "discovery: SetDefaults_EndpointPort, ValidateEndpointSlice",
    async (t) => {
      const slice = {
        metadata: { name: "a" },
        addressType: "IPv4",
        endpoints: [{ addresses: ["10.0.0.1"] }],
        ports: [{ port: 80 }],
      };
      (await t.create("endpointslices", slice)).expectShape({
        ports: [{ name: "", port: 80, protocol: "TCP" }],
        metadata: { generation: 1 },
      });
      await expectError(t.patch("merge", "endpointslices/a", { addressType: "IPv6" }), 422, "Invalid", {
        message: IMMUTABLE,
      });
      await expectError(t.create("endpointslices", { metadata: { name: "b" }, endpoints: [] }), 422, "Invalid", {
        causes: ["addressType: FieldValueRequired"],
      });
    },
  ],
  [
    "Ingress: needs a backend or rules, and path types",
    "networking: ValidateIngress",
    async (t) => {
      await expectError(t.create("ingresses", { metadata: { name: "a" }, spec: {} }), 422, "Invalid", {
        causes: ["spec: FieldValueInvalid"],
      });
      const paths = [{ path: "/", backend: { service: { name: "s", port: { number: 80 } } } }];
      await expectError(
        t.create("ingresses", {
          metadata: { name: "a" },
          spec: { rules: [{ host: "a.example.com", http: { paths } }] },
        }),
        422,
        "Invalid",
        {
          causes: ["spec.rules[0].http.paths[0].pathType: FieldValueRequired"],
        },
      );
    },
  ],
  [
    "IngressClass: the controller is required and immutable",
    "networking: ValidateIngressClass",
    async (t) => {
      const name = t.unique("c");
      await expectError(t.create("ingressclasses", { metadata: { name }, spec: {} }), 422, "Invalid", {
        causes: ["spec.controller: FieldValueRequired"],
      });
      await t.create("ingressclasses", { metadata: { name }, spec: { controller: "example.com/c" } });
      await expectError(
        t.patch("merge", `ingressclasses/${name}`, { spec: { controller: "example.com/d" } }),
        422,
        "Invalid",
        { message: IMMUTABLE },
      );
    },
  ],
  [
    "NetworkPolicy: policy types follow from the rules",
    "networking: SetDefaults_NetworkPolicy",
    async (t) => {
      (
        await t.create("networkpolicies", {
          metadata: { name: "a" },
          spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] },
        })
      ).expectShape({
        spec: { policyTypes: ["Ingress"], ingress: [{ ports: [{ port: 80, protocol: "TCP" }] }] },
        metadata: { generation: 1 },
      });
      (
        await t.create("networkpolicies", { metadata: { name: "b" }, spec: { podSelector: {}, egress: [{}] } })
      ).expectShape({
        spec: { policyTypes: ["Ingress", "Egress"] },
      });
    },
  ],
  [
    "PodDisruptionBudget: minAvailable and maxUnavailable are exclusive",
    "policy: ValidatePodDisruptionBudgetSpec",
    async (t) => {
      const selector = { matchLabels: { app: "a" } };
      await expectError(
        t.create("poddisruptionbudgets", {
          metadata: { name: "a" },
          spec: { selector, minAvailable: 1, maxUnavailable: 1 },
        }),
        422,
        "Invalid",
        { causes: ["spec: FieldValueInvalid"] },
      );
      (
        await t.create("poddisruptionbudgets", { metadata: { name: "a" }, spec: { selector, minAvailable: "50%" } })
      ).expectShape({
        metadata: { generation: 1 },
        status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
      });
    },
  ],
  [
    "PriorityClass: the value is immutable, and system names and values are reserved",
    "scheduling: ValidatePriorityClass",
    async (t) => {
      const name = t.unique("p");
      (await t.create("priorityclasses", { metadata: { name }, value: 5 })).expectShape({
        preemptionPolicy: "PreemptLowerPriority",
        globalDefault: undefined,
      });
      await expectError(t.patch("merge", `priorityclasses/${name}`, { value: 6 }), 422, "Invalid", {
        causes: ["value: FieldValueForbidden"],
        message: /may not be changed in an update/u,
      });
      await expectError(
        t.create("priorityclasses", { metadata: { name: `system-${name}` }, value: 5 }),
        422,
        "Invalid",
        {
          causes: ["metadata.name: FieldValueForbidden"],
        },
      );
      await expectError(
        t.create("priorityclasses", { metadata: { name: `${name}x` }, value: 2_000_000_000 }),
        422,
        "Invalid",
        { causes: ["value: FieldValueForbidden"] },
      );
    },
  ],
  [
    "StorageClass: defaults, and immutable parameters",
    "storage: SetDefaults_StorageClass, ValidateStorageClassUpdate",
    async (t) => {
      const name = t.unique("s");
      (
        await t.create("storageclasses", { metadata: { name }, provisioner: "example.com/p", parameters: { x: "1" } })
      ).expectShape({ reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
      await expectError(t.patch("merge", `storageclasses/${name}`, { parameters: { x: "2" } }), 422, "Invalid", {
        causes: ["parameters: FieldValueInvalid"],
      });
    },
  ],
  [
    "CSIDriver: defaults",
    "storage: SetDefaults_CSIDriver",
    async (t) => {
      (await t.create("csidrivers", { metadata: { name: t.unique("d") }, spec: {} })).expectShape({
        spec: {
          attachRequired: true,
          podInfoOnMount: false,
          storageCapacity: false,
          fsGroupPolicy: "ReadWriteOnceWithFSType",
          volumeLifecycleModes: ["Persistent"],
          requiresRepublish: false,
          seLinuxMount: false,
        },
      });
    },
  ],
  [
    "VolumeAttachment: spec is immutable, status is dropped on create",
    "storage: ValidateVolumeAttachmentUpdate",
    async (t) => {
      const name = t.unique("a");
      const spec = { attacher: "attacher.example.com", nodeName: "n", source: { persistentVolumeName: "v" } };
      (
        await t.create("volumeattachments", {
          metadata: { name, finalizers: ["example.com/keep"] },
          spec,
          status: { attached: true },
        })
      ).expectShape({ status: { attached: false } });
      await expectError(t.patch("merge", `volumeattachments/${name}`, { spec: { nodeName: "m" } }), 422, "Invalid", {
        message: IMMUTABLE,
      });
      await t.patch("merge", `volumeattachments/${name}`, { metadata: { finalizers: null } });
    },
  ],
  [
    "HorizontalPodAutoscaler: defaults",
    "autoscaling: SetDefaults_HorizontalPodAutoscaler",
    async (t) => {
      const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "absent" };
      (
        await t.create("horizontalpodautoscalers", {
          metadata: { name: "a" },
          spec: { scaleTargetRef, maxReplicas: 3 },
        })
      ).expectShape({
        spec: {
          minReplicas: 1,
          metrics: [
            { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
          ],
        },
      });
      await expectError(
        t.create("horizontalpodautoscalers", {
          metadata: { name: "b" },
          spec: { scaleTargetRef, minReplicas: 5, maxReplicas: 3 },
        }),
        422,
        "Invalid",
        {
          causes: ["spec.maxReplicas: FieldValueInvalid"],
        },
      );
    },
  ],
  [
    "MutatingWebhookConfiguration: defaults of a webhook",
    "admissionregistration: SetDefaults_MutatingWebhook",
    async (t) => {
      const rules = [
        { apiGroups: ["absent.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["absents"] },
      ];
      const webhook = {
        name: "a.example.com",
        clientConfig: { url: "https://127.0.0.1:1/x" },
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        rules,
      };
      (
        await t.create("mutatingwebhookconfigurations", { metadata: { name: t.unique("m") }, webhooks: [webhook] })
      ).expectShape({
        webhooks: [
          {
            failurePolicy: "Fail",
            matchPolicy: "Equivalent",
            timeoutSeconds: 10,
            reinvocationPolicy: "Never",
            namespaceSelector: {},
            objectSelector: {},
            rules: [{ scope: "*" }],
          },
        ],
        metadata: { generation: 1 },
      });
    },
  ],
  [
    "ValidatingWebhookConfiguration: names are qualified, side effects are required",
    "admissionregistration: ValidateValidatingWebhookConfiguration",
    async (t) => {
      const webhook = {
        name: "plain",
        clientConfig: { url: "https://127.0.0.1:1/x" },
        admissionReviewVersions: ["v1"],
      };
      await expectError(
        t.create("validatingwebhookconfigurations", { metadata: { name: t.unique("v") }, webhooks: [webhook] }),
        422,
        "Invalid",
        {
          causes: ["webhooks[0].name: FieldValueInvalid", "webhooks[0].sideEffects: FieldValueRequired"],
        },
      );
    },
  ],
  [
    "ValidatingAdmissionPolicy: defaults, and expressions that compile",
    "admissionregistration: ValidateValidatingAdmissionPolicy",
    async (t) => {
      const resourceRules = [
        { apiGroups: ["absent.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["absents"] },
      ];
      const spec = {
        matchConstraints: { resourceRules },
        validations: [{ expression: "object.metadata.name != 'x'" }],
      };
      (await t.create("validatingadmissionpolicies", { metadata: { name: t.unique("p") }, spec })).expectShape({
        spec: {
          failurePolicy: "Fail",
          matchConstraints: {
            matchPolicy: "Equivalent",
            namespaceSelector: {},
            objectSelector: {},
            resourceRules: [{ scope: "*" }],
          },
        },
        metadata: { generation: 1 },
      });
      await expectError(
        t.create("validatingadmissionpolicies", {
          metadata: { name: t.unique("q") },
          spec: { ...spec, validations: [{ expression: "object." }] },
        }),
        422,
        "Invalid",
        {
          causes: ["spec.validations[0].expression: FieldValueInvalid"],
        },
      );
    },
  ],
  [
    "ValidatingAdmissionPolicyBinding: actions are required",
    "admissionregistration: ValidateValidatingAdmissionPolicyBinding",
    async (t) => {
      await expectError(
        t.create("validatingadmissionpolicybindings", { metadata: { name: t.unique("b") }, spec: { policyName: "p" } }),
        422,
        "Invalid",
        {
          causes: ["spec.validationActions: FieldValueRequired"],
        },
      );
    },
  ],
]);
