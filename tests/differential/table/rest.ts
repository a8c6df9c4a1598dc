import { global, LONG_AGO, PLACE, placed, shown } from "./shown.ts";
import type { Shown } from "./shown.ts";

const RBAC = "rbac.authorization.k8s.io/v1";
const ADMISSION = "admissionregistration.k8s.io/v1";
const webhook = {
  name: "a.example.com",
  clientConfig: { url: "https://example.com/" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};

/** The other kinds. */
export const REST: readonly Shown[] = [
  shown(placed("", "configmaps"), "settings", { data: { a: "1", b: "2" }, binaryData: { c: "AAA=" } }),
  shown(placed("", "secrets"), "token", { type: "Opaque", data: { a: "AAA=" } }),
  shown(placed("", "serviceaccounts"), "robot"),
  shown(
    global("", "nodes"),
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
  shown(global("", "nodes"), "tables-n2"),
  shown(placed("", "events"), "happened", {
    involvedObject: { kind: "Pod", name: "runs", namespace: PLACE, fieldPath: "spec.containers{app}" },
    reason: "Started",
    message: " Started container. \n",
    type: "Normal",
    source: { component: "kubelet", host: "n1" },
    firstTimestamp: LONG_AGO,
    lastTimestamp: LONG_AGO,
    count: 4,
  }),
  shown(placed("events.k8s.io/v1", "events"), "happens", {
    eventTime: "2001-01-01T00:00:00.000000Z",
    regarding: { kind: "Pod", name: "runs", namespace: PLACE },
    reason: "Scheduled",
    action: "Binding",
    note: "Bound.",
    type: "Normal",
    reportingController: "example.com/scheduler",
    reportingInstance: "scheduler-1",
  }),
  shown(placed(RBAC, "roles"), "reader", { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }),
  shown(global(RBAC, "clusterroles"), "tables-reader", {
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  }),
  shown(placed(RBAC, "rolebindings"), "readers", {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
    subjects: [
      { kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" },
      { kind: "User", name: "bob", apiGroup: "rbac.authorization.k8s.io" },
      { kind: "Group", name: "ops", apiGroup: "rbac.authorization.k8s.io" },
      { kind: "ServiceAccount", name: "robot", namespace: PLACE },
    ],
  }),
  shown(global(RBAC, "clusterrolebindings"), "tables-readers", {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "tables-reader" },
  }),
  shown(global(ADMISSION, "mutatingwebhookconfigurations"), "tables-m", { webhooks: [webhook] }),
  shown(global(ADMISSION, "validatingwebhookconfigurations"), "tables-v", { webhooks: [] }),
  shown(global(ADMISSION, "validatingadmissionpolicies"), "tables-policy", {
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["limitranges"] }],
      },
      validations: [{ expression: "true" }],
    },
  }),
  shown(global(ADMISSION, "validatingadmissionpolicybindings"), "tables-b1", {
    spec: {
      policyName: "tables-policy",
      validationActions: ["Audit"],
      paramRef: { name: "settings", parameterNotFoundAction: "Allow" },
      matchResources: { namespaceSelector: { matchLabels: { none: "such" } } },
    },
  }),
  shown(global(ADMISSION, "validatingadmissionpolicybindings"), "tables-b2", {
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
