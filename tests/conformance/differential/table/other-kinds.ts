import { clusterScopedPath, LONG_AGO, TABLE_NAMESPACE, namespacedPath, tableCase } from "./table-case.ts";
import type { TableCase } from "./table-case.ts";

const RBAC = "rbac.authorization.k8s.io/v1";
const ADMISSION = "admissionregistration.k8s.io/v1";
const webhook = {
  name: "a.example.com",
  clientConfig: { url: "https://example.com/" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};

/** The other kinds. */
export const OTHER_KIND_CASES: readonly TableCase[] = [
  tableCase(namespacedPath("", "configmaps"), "settings", { data: { a: "1", b: "2" }, binaryData: { c: "AAA=" } }),
  tableCase(namespacedPath("", "secrets"), "token", { type: "Opaque", data: { a: "AAA=" } }),
  tableCase(namespacedPath("", "serviceaccounts"), "robot"),
  tableCase(
    clusterScopedPath("", "nodes"),
    "tables-n1",
    {
      metadata: { labels: { "node-role.kubernetes.io/worker": "", "kubernetes.io/role": "edge" } },
      spec: { unschedulable: true },
    },
    {
      conditions: [{ type: "Ready", status: "True" }],
      addresses: [
        { type: "InternalIP", address: "10.9.9.9" },
        { type: "Hostname", address: "n1" },
      ],
      nodeInfo: {
        architecture: "arm64",
        bootID: "",
        containerRuntimeVersion: "containerd://2",
        kernelVersion: "6.1",
        kubeProxyVersion: "",
        kubeletVersion: "v1.36.0",
        machineID: "",
        operatingSystem: "linux",
        osImage: "Debian",
        systemUUID: "",
      },
    },
  ),
  tableCase(clusterScopedPath("", "nodes"), "tables-n2"),
  tableCase(namespacedPath("", "events"), "happened", {
    involvedObject: { kind: "Pod", name: "runs", namespace: TABLE_NAMESPACE, fieldPath: "spec.containers{app}" },
    reason: "Started",
    message: " Started container. \n",
    type: "Normal",
    source: { component: "kubelet", host: "n1" },
    firstTimestamp: LONG_AGO,
    lastTimestamp: LONG_AGO,
    count: 4,
  }),
  tableCase(namespacedPath("events.k8s.io/v1", "events"), "happens", {
    eventTime: "2001-01-01T00:00:00.000000Z",
    regarding: { kind: "Pod", name: "runs", namespace: TABLE_NAMESPACE },
    reason: "Scheduled",
    action: "Binding",
    note: "Bound.",
    type: "Normal",
    reportingController: "example.com/scheduler",
    reportingInstance: "scheduler-1",
  }),
  tableCase(namespacedPath(RBAC, "roles"), "reader", {
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  }),
  tableCase(clusterScopedPath(RBAC, "clusterroles"), "tables-reader", {
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  }),
  tableCase(namespacedPath(RBAC, "rolebindings"), "readers", {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
    subjects: [
      { kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" },
      { kind: "User", name: "bob", apiGroup: "rbac.authorization.k8s.io" },
      { kind: "Group", name: "ops", apiGroup: "rbac.authorization.k8s.io" },
      { kind: "ServiceAccount", name: "robot", namespace: TABLE_NAMESPACE },
    ],
  }),
  tableCase(clusterScopedPath(RBAC, "clusterrolebindings"), "tables-readers", {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "tables-reader" },
  }),
  tableCase(clusterScopedPath(ADMISSION, "mutatingwebhookconfigurations"), "tables-m", { webhooks: [webhook] }),
  tableCase(clusterScopedPath(ADMISSION, "validatingwebhookconfigurations"), "tables-v", { webhooks: [] }),
  tableCase(clusterScopedPath(ADMISSION, "validatingadmissionpolicies"), "tables-policy", {
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["limitranges"] }],
      },
      validations: [{ expression: "true" }],
    },
  }),
  tableCase(clusterScopedPath(ADMISSION, "validatingadmissionpolicybindings"), "tables-b1", {
    spec: {
      policyName: "tables-policy",
      validationActions: ["Audit"],
      paramRef: { name: "settings", parameterNotFoundAction: "Allow" },
      matchResources: { namespaceSelector: { matchLabels: { none: "such" } } },
    },
  }),
  tableCase(clusterScopedPath(ADMISSION, "validatingadmissionpolicybindings"), "tables-b2", {
    spec: {
      policyName: "tables-policy",
      validationActions: ["Audit"],
      paramRef: {
        selector: {
          matchLabels: { b: "1", a: "2" },
          matchExpressions: [{ key: "k", operator: "In", values: ["x", "y"] }],
        },
        parameterNotFoundAction: "Allow",
      },
      matchResources: { namespaceSelector: { matchLabels: { none: "such" } } },
    },
  }),
];
