import { refused } from "../suite/answer.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";

const IMMUTABLE = /field is immutable/u;

const RULES = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];

const ROLE = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "a" };

/** Kinds of all other groups. */
export const OTHER_KINDS: readonly Case[] = group("other kinds", "requests", [
  [
    "Role: rules need verbs, and API groups with resources",
    "rbac: ValidatePolicyRule",
    async (t) => {
      await refused(t.create("roles", { metadata: { name: "a" }, rules: [{ resources: ["pods"] }] }), 422, "Invalid", {
        causes: ["rules[0].verbs: FieldValueRequired", "rules[0].apiGroups: FieldValueRequired"],
      });
    },
  ],
  [
    "ClusterRole: URLs are allowed, and aggregation rules",
    "rbac: ValidateClusterRole",
    async (t) => {
      const name = t.unique("r");
      (
        await t.create("clusterroles", { metadata: { name }, rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }] })
      ).has(201);
      await refused(
        t.create("roles", { metadata: { name: "a" }, rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }] }),
        422,
        "Invalid",
      );
    },
  ],
  [
    "RoleBinding: the role cannot be changed, subjects get their API group",
    "rbac: ValidateRoleBindingUpdate, SetDefaults_Subject",
    async (t) => {
      await t.create("roles", { metadata: { name: "a" }, rules: RULES });
      (
        await t.create("rolebindings", {
          metadata: { name: "a" },
          roleRef: { kind: "Role", name: "a" },
          subjects: [{ kind: "User", name: "u" }],
        })
      ).is({
        roleRef: ROLE,
        subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "u" }],
      });
      await refused(t.patch("merge", "rolebindings/a", { roleRef: { ...ROLE, name: "b" } }), 422, "Invalid", {
        causes: ["roleRef: FieldValueInvalid"],
        message: /cannot change roleRef/u,
      });
    },
  ],
  [
    "ClusterRoleBinding: a service account needs its namespace",
    "rbac: ValidateRoleBindingSubject",
    async (t) => {
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
      await refused(
        t.create("clusterrolebindings", {
          metadata: { name: t.unique("b") },
          roleRef,
          subjects: [{ kind: "ServiceAccount", name: "s" }],
        }),
        422,
        "Invalid",
        {
          causes: ["subjects[0].namespace: FieldValueRequired"],
        },
      );
    },
  ],
  [
    "Lease: durations are positive",
    "coordination: ValidateLease",
    async (t) => {
      await refused(
        t.create("leases", { metadata: { name: "a" }, spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }),
        422,
        "Invalid",
        {
          causes: ["spec.leaseDurationSeconds: FieldValueInvalid", "spec.leaseTransitions: FieldValueInvalid"],
        },
      );
      (await t.create("leases", { metadata: { name: "a" }, spec: { renewTime: "2026-01-02T03:04:05.123456Z" } })).is({
        spec: { renewTime: "2026-01-02T03:04:05.123456Z" },
      });
    },
  ],
  [
    "EndpointSlice: ports have defaults, the address type is required and stays",
    "discovery: SetDefaults_EndpointPort, ValidateEndpointSlice",
    async (t) => {
      const slice = {
        metadata: { name: "a" },
        addressType: "IPv4",
        endpoints: [{ addresses: ["10.0.0.1"] }],
        ports: [{ port: 80 }],
      };
      (await t.create("endpointslices", slice)).is({
        ports: [{ name: "", port: 80, protocol: "TCP" }],
        metadata: { generation: 1 },
      });
      await refused(t.patch("merge", "endpointslices/a", { addressType: "IPv6" }), 422, "Invalid", {
        message: IMMUTABLE,
      });
      await refused(t.create("endpointslices", { metadata: { name: "b" }, endpoints: [] }), 422, "Invalid", {
        causes: ["addressType: FieldValueRequired"],
      });
    },
  ],
  [
    "Ingress: needs a backend or rules, and path types",
    "networking: ValidateIngress",
    async (t) => {
      await refused(t.create("ingresses", { metadata: { name: "a" }, spec: {} }), 422, "Invalid", {
        causes: ["spec: FieldValueInvalid"],
      });
      const paths = [{ path: "/", backend: { service: { name: "s", port: { number: 80 } } } }];
      await refused(
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
    "IngressClass: the controller is required and stays",
    "networking: ValidateIngressClass",
    async (t) => {
      const name = t.unique("c");
      await refused(t.create("ingressclasses", { metadata: { name }, spec: {} }), 422, "Invalid", {
        causes: ["spec.controller: FieldValueRequired"],
      });
      await t.create("ingressclasses", { metadata: { name }, spec: { controller: "example.com/c" } });
      await refused(
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
      ).is({
        spec: { policyTypes: ["Ingress"], ingress: [{ ports: [{ port: 80, protocol: "TCP" }] }] },
        metadata: { generation: 1 },
      });
      (await t.create("networkpolicies", { metadata: { name: "b" }, spec: { podSelector: {}, egress: [{}] } })).is({
        spec: { policyTypes: ["Ingress", "Egress"] },
      });
    },
  ],
  [
    "PodDisruptionBudget: not both of minAvailable and maxUnavailable",
    "policy: ValidatePodDisruptionBudgetSpec",
    async (t) => {
      const selector = { matchLabels: { app: "a" } };
      await refused(
        t.create("poddisruptionbudgets", {
          metadata: { name: "a" },
          spec: { selector, minAvailable: 1, maxUnavailable: 1 },
        }),
        422,
        "Invalid",
        { causes: ["spec: FieldValueInvalid"] },
      );
      (await t.create("poddisruptionbudgets", { metadata: { name: "a" }, spec: { selector, minAvailable: "50%" } })).is(
        {
          metadata: { generation: 1 },
          status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
        },
      );
    },
  ],
  [
    "PriorityClass: the value stays, and names and values of the system are its own",
    "scheduling: ValidatePriorityClass",
    async (t) => {
      const name = t.unique("p");
      (await t.create("priorityclasses", { metadata: { name }, value: 5 })).is({
        preemptionPolicy: "PreemptLowerPriority",
        globalDefault: undefined,
      });
      await refused(t.patch("merge", `priorityclasses/${name}`, { value: 6 }), 422, "Invalid", {
        causes: ["value: FieldValueForbidden"],
        message: /may not be changed in an update/u,
      });
      await refused(t.create("priorityclasses", { metadata: { name: `system-${name}` }, value: 5 }), 422, "Invalid", {
        causes: ["metadata.name: FieldValueForbidden"],
      });
      await refused(
        t.create("priorityclasses", { metadata: { name: `${name}x` }, value: 2_000_000_000 }),
        422,
        "Invalid",
        { causes: ["value: FieldValueForbidden"] },
      );
    },
  ],
  [
    "StorageClass: defaults, and parameters that stay",
    "storage: SetDefaults_StorageClass, ValidateStorageClassUpdate",
    async (t) => {
      const name = t.unique("s");
      (
        await t.create("storageclasses", { metadata: { name }, provisioner: "example.com/p", parameters: { x: "1" } })
      ).is({ reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
      await refused(t.patch("merge", `storageclasses/${name}`, { parameters: { x: "2" } }), 422, "Invalid", {
        causes: ["parameters: FieldValueInvalid"],
      });
    },
  ],
  [
    "CSIDriver: defaults",
    "storage: SetDefaults_CSIDriver",
    async (t) => {
      (await t.create("csidrivers", { metadata: { name: t.unique("d") }, spec: {} })).is({
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
    "VolumeAttachment: spec stays, status is dropped on create",
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
      ).is({ status: { attached: false } });
      await refused(t.patch("merge", `volumeattachments/${name}`, { spec: { nodeName: "m" } }), 422, "Invalid", {
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
      ).is({
        spec: {
          minReplicas: 1,
          metrics: [
            { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
          ],
        },
      });
      await refused(
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
      (await t.create("mutatingwebhookconfigurations", { metadata: { name: t.unique("m") }, webhooks: [webhook] })).is({
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
    "ValidatingWebhookConfiguration: names are qualified, side effects are told",
    "admissionregistration: ValidateValidatingWebhookConfiguration",
    async (t) => {
      const webhook = {
        name: "plain",
        clientConfig: { url: "https://127.0.0.1:1/x" },
        admissionReviewVersions: ["v1"],
      };
      await refused(
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
      (await t.create("validatingadmissionpolicies", { metadata: { name: t.unique("p") }, spec })).is({
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
      await refused(
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
      await refused(
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
