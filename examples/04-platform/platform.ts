import { ConfigMap, Deployment, hashJson, kind, Namespace, s, Service, ServiceAccount } from "@levelset/core";
import type { EmbeddedObject, SpecOf } from "@levelset/core";
import { manager, manifestOf, operand, operandOperators, operator } from "@levelset/operator";

/** Software that is installed once per cluster: a gateway, its workers, and optional metrics. */
export const Platform = kind({
  group: "examples.levelset.dev",
  version: "v1beta1",
  kind: "Platform",
  scope: "Cluster",
  spec: s.object({
    version: s.string().min(1),
    workers: s.int32().min(0).default(1),
    metrics: s.boolean().default(false),
    settings: s.map(s.string()).default({}),
  }),
  status: s.object({ version: s.string().optional(), objects: s.int32().optional() }),
  columns: { Version: ".status.version", Objects: ".status.objects" },
});

type Spec = SpecOf<typeof Platform>;

const software = operand(Platform, "Software", {
  condition: "SoftwareReady",
  steadyState: ({ name, spec }) => [
    manifestOf(Namespace, { metadata: { name } }),
    manifestOf(ServiceAccount, { metadata: { name: "platform", namespace: name } }),
    manifestOf(ConfigMap, { metadata: { name: "settings", namespace: name }, data: spec.settings }),
    ...component(name, "gateway", 2, spec),
    ...component(name, "worker", spec.workers, spec),
  ],
  // Installed when all of the above is healthy. Pruned when it is no longer desired and all other objects are healthy.
  postInstall: ({ name, spec }) => (spec.metrics ? component(name, "metrics", 1, spec) : []),
  status: (req, { status }) => {
    req.status.version = req.spec.version;
    req.status.objects = status?.counts?.total;
  },
});

/** Returns the Deployment of a component and its Service. */
function component(namespace: string, name: string, replicas: number, spec: Spec): readonly EmbeddedObject[] {
  const labels = { "app.kubernetes.io/part-of": "platform", "app.kubernetes.io/name": name };
  // Pods read their settings at start-up: changed settings must change the template.
  const annotations = { "examples.levelset.dev/settings-hash": hashJson(spec.settings) };
  const container = {
    name: "main",
    image: `registry.example/${name}:${spec.version}`,
    envFrom: [{ configMapRef: { name: "settings" } }],
    ports: [{ name: "http", containerPort: 8080 }],
  };
  const metadata = { name, namespace, labels };
  return [
    manifestOf(Deployment, {
      metadata,
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations },
          spec: { serviceAccountName: "platform", containers: [container] },
        },
      },
    }),
    manifestOf(Service, {
      metadata,
      spec: { selector: labels, ports: [{ name: "http", port: 80, targetPort: "http" }] },
    }),
  ];
}

export const platformOperator = operator(Platform, [software]);

// The Operand operators can also run in a separate process: `levelset operand run`.
export default manager([platformOperator, ...operandOperators()]);
