import { ConfigMap, Deployment, hashJson, kind, s } from "@levelset/core";
import type { Job, NewOf, ObjectOf } from "@levelset/core";
import { child, input, job, jobRecord, workload } from "@levelset/operator";
import type { Cluster } from "../../support/cluster/cluster.ts";

/** A program with settings, a migration and pods. */
export const App = kind({
  group: "scenarios.levelset.dev",
  version: "v1",
  kind: "App",
  spec: s.object({
    image: s.string(),
    replicas: s.int32().default(1),
    configSecret: s.string().default("config"),
    migrationTtl: s.int32().optional(),
  }),
  status: s.object({ migration: jobRecord.optional() }),
});
/** Type of {@link App}. */
export type App = typeof App;

const HASH = "scenarios.levelset.dev/config-hash";

/** Returns the Deployment of an App, with this hash as annotation of its template. */
export function deploymentOf(name: string, spec: ObjectOf<App>["spec"], hash?: string): NewOf<typeof Deployment> {
  const labels = { app: name };
  const annotations = hash === undefined ? {} : { annotations: { [HASH]: hash } };
  const containers = [{ name: "main", image: spec.image }];
  const template = { metadata: { labels, ...annotations }, spec: { containers } };
  return { metadata: { name }, spec: { replicas: spec.replicas, selector: { matchLabels: labels }, template } };
}

/** Returns the hash in the pod template of an App. */
export function templateHash({ spec }: ObjectOf<typeof Deployment>): string | undefined {
  return spec.template.metadata?.annotations?.[HASH];
}

/** Reconciles the pods of an App. */
export const pods = workload(App, "Pods", {
  condition: "PodsReady",
  kind: Deployment,
  desired: ({ name, spec }) => deploymentOf(name, spec),
});

const config = input(App, "Config", {
  condition: "ConfigReady",
  secret: ({ spec }) => spec.configSecret,
  keys: { password: s.text(), user: s.text() },
});

/** Reconciles the pods of an App, with settings that they read on start. */
export const podsWithConfig = [
  config,
  child(App, "Settings", {
    uses: [config],
    kind: ConfigMap,
    desired: (req) => ({ metadata: { name: req.name }, data: { user: req.from(config).user } }),
  }),
  workload(App, "Pods", {
    condition: "PodsReady",
    uses: [config],
    kind: Deployment,
    desired: (req) => deploymentOf(req.name, req.spec, hashJson(req.from(config))),
  }),
];

/** Returns the migration Job of an App. */
export function migrationOf(name: string, spec: ObjectOf<App>["spec"]): NewOf<typeof Job> {
  return {
    metadata: { name: `${name}-migration` },
    spec: {
      backoffLimit: 0,
      ...(spec.migrationTtl === undefined ? {} : { ttlSecondsAfterFinished: spec.migrationTtl }),
      template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: spec.image }] } },
    },
  };
}

/** Runs a Job once for each image. */
export const migration = job(App, "Migration", {
  condition: "MigrationReady",
  statusField: "migration",
  desired: ({ name, spec }) => migrationOf(name, spec),
});

/** Creates an App. */
export function createApp(cluster: Cluster, spec: Partial<ObjectOf<App>["spec"]> = {}): Promise<ObjectOf<App>> {
  return cluster.create(App, { metadata: { name: "a" }, spec: { image: "web:1", ...spec } });
}
