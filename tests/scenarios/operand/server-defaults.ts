import type { EmbeddedObject, JsonObject } from "@levelset/core";

/** An object of the set: apiVersion, kind, name and other fields. */
type Row = readonly [string, string, string, JsonObject];

const LABELS = { app: "web" };
const SELECTOR = { matchLabels: LABELS };

/** A pod template whose lists, many of them atomic, rely on server defaults. */
function template(labels: JsonObject): JsonObject {
  const probe = { httpGet: { path: "/", port: 80 } };
  return {
    metadata: { labels },
    spec: {
      containers: [
        {
          name: "main",
          image: "registry.example/app",
          args: ["--a", "--b"],
          ports: [{ containerPort: 80 }, { containerPort: 53, protocol: "UDP" }],
          env: [
            { name: "A", value: "1" },
            { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
            { name: "CPU", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
          ],
          envFrom: [{ configMapRef: { name: "settings" } }],
          readinessProbe: probe,
          livenessProbe: { ...probe, periodSeconds: 5 },
          resources: { limits: { cpu: "0.5", memory: "1024Mi" }, requests: { cpu: "500m" } },
          securityContext: { capabilities: { drop: ["ALL"] } },
        },
      ],
      tolerations: [
        { key: "a", operator: "Exists" },
        { key: "b", value: "c", effect: "NoSchedule" },
      ],
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: { matchLabels: labels } },
      ],
      imagePullSecrets: [{ name: "pull" }],
      volumes: [
        { name: "config", configMap: { name: "settings", items: [{ key: "a", path: "a" }] } },
        { name: "secret", secret: { secretName: "secret" } },
        { name: "host", hostPath: { path: "/tmp" } },
        {
          name: "all",
          projected: {
            sources: [
              { serviceAccountToken: { path: "token" } },
              { configMap: { name: "settings" } },
              { downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] } },
            ],
          },
        },
      ],
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { topologyKey: "zone", labelSelector: { matchLabels: labels } } },
          ],
        },
      },
    },
  };
}

/** Webhooks that match no existing object. */
function webhooks(namespace: string): JsonObject {
  return {
    webhooks: [
      {
        name: "a.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Ignore",
        clientConfig: { service: { namespace, name: "web" } },
        rules: [{ apiGroups: ["unknown.example"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["things"] }],
        matchConditions: [{ name: "never", expression: "false" }],
      },
    ],
  };
}

function crd(group: string): EmbeddedObject {
  const item = { type: "object", properties: { a: { type: "string" }, b: { type: "integer", default: 3 } } };
  const spec = { type: "object", properties: { list: { type: "array", items: item } } };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  const additionalPrinterColumns = [{ name: "A", type: "string", jsonPath: ".spec.a" }];
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `holders.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: "Holder", plural: "holders" },
      versions: [
        { name: "v1", served: true, storage: true, schema, additionalPrinterColumns },
        { name: "v1beta1", served: true, storage: false, schema },
      ],
    },
  };
}

const TEMPLATE = template(LABELS);
const CLAIM = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } },
};

const WORKLOADS: readonly Row[] = [
  ["v1", "ConfigMap", "settings", { data: { a: "1" } }],
  ["v1", "Secret", "secret", { stringData: { password: "x" } }],
  ["apps/v1", "Deployment", "web", { spec: { selector: SELECTOR, template: TEMPLATE } }],
  [
    "apps/v1",
    "StatefulSet",
    "db",
    {
      spec: { selector: SELECTOR, serviceName: "db", template: TEMPLATE, volumeClaimTemplates: [CLAIM] },
    },
  ],
  ["apps/v1", "DaemonSet", "agent", { spec: { selector: SELECTOR, template: TEMPLATE } }],
  [
    "batch/v1",
    "CronJob",
    "nightly",
    {
      spec: {
        schedule: "0 1 * * *",
        suspend: true,
        jobTemplate: {
          spec: {
            template: {
              spec: { restartPolicy: "Never", containers: [{ name: "main", image: "registry.example/app" }] },
            },
          },
        },
      },
    },
  ],
  [
    "autoscaling/v2",
    "HorizontalPodAutoscaler",
    "web",
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        metrics: [
          { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
        ],
        behavior: { scaleDown: { policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] } },
      },
    },
  ],
];

const NETWORK: readonly Row[] = [
  ["v1", "Service", "web", { spec: { selector: LABELS, ports: [{ port: 80 }] } }],
  [
    "v1",
    "Service",
    "db",
    {
      spec: {
        selector: LABELS,
        clusterIP: "None",
        ports: [
          { name: "a", port: 1 },
          { name: "b", port: 2, targetPort: "http" },
        ],
      },
    },
  ],
  [
    "networking.k8s.io/v1",
    "NetworkPolicy",
    "web",
    {
      spec: { podSelector: SELECTOR, ingress: [{ ports: [{ port: 80 }], from: [{ podSelector: SELECTOR }] }] },
    },
  ],
  [
    "networking.k8s.io/v1",
    "Ingress",
    "web",
    {
      spec: {
        rules: [
          {
            host: "web.example",
            http: {
              paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "web", port: { number: 80 } } } }],
            },
          },
        ],
      },
    },
  ],
];

const RULES: readonly Row[] = [
  [
    "rbac.authorization.k8s.io/v1",
    "RoleBinding",
    "users",
    {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
      subjects: [
        { kind: "User", name: "jane" },
        { kind: "ServiceAccount", name: "default" },
      ],
    },
  ],
  ["policy/v1", "PodDisruptionBudget", "web", { spec: { minAvailable: "50%", selector: SELECTOR } }],
  ["v1", "ResourceQuota", "quota", { spec: { hard: { cpu: "1000m", pods: "10" } } }],
  ["v1", "LimitRange", "limits", { spec: { limits: [{ type: "Container", default: { cpu: "0.5" } }] } }],
];

/** Returns manifests for which the server sets many defaults, also in atomic lists. */
export function manifestsWithServerDefaults(namespace: string): readonly EmbeddedObject[] {
  const group = `${namespace}.example.com`;
  const holder: Row = [`${group}/v1`, "Holder", "holder", { spec: { list: [{ a: "1" }, { a: "2", b: 4 }] } }];
  const housed = [holder, ...WORKLOADS, ...NETWORK, ...RULES].map(([apiVersion, kind, name, fields]) => ({
    apiVersion,
    kind,
    metadata: { namespace, name },
    ...fields,
  }));
  const hooks = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"].map((kind) => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: `${namespace}-hooks` },
    ...webhooks(namespace),
  }));
  return [crd(group), ...housed, ...hooks];
}
