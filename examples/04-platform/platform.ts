import { ConfigMap, Deployment, hashOf, kind, Namespace, s, Service, ServiceAccount } from "@levelset/core";
import type { EmbeddedObject, SpecOf } from "@levelset/core";
import { manager, manifestOf, operand, operandOperators, operator } from "@levelset/operator";

/** Software that a whole cluster has once: a gateway, workers behind it, and metrics if wanted. */
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
  // Comes when all of the above runs, and goes when it is no longer wanted and all that still is runs.
  postInstall: ({ name, spec }) => (spec.metrics ? component(name, "metrics", 1, spec) : []),
  status: (req, { status }) => {
    req.status.version = req.spec.version;
    req.status.objects = status?.counts?.total;
  },
});

/** A Deployment and the Service in front of it. */
function component(namespace: string, name: string, replicas: number, spec: Spec): readonly EmbeddedObject[] {
  const labels = { "app.kubernetes.io/part-of": "platform", "app.kubernetes.io/name": name };
  // Pods read their settings when they start: new settings are a new template.
  const annotations = { "examples.levelset.dev/settings-hash": hashOf(spec.settings) };
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

// The operators of Operand may as well run in a process of their own: `levelset operand run`.
export default manager([platformOperator, ...operandOperators()]);
