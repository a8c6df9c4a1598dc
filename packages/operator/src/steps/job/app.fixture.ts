import { Job, kind, s } from "@levelset/core";
import type { Deployment, NewOf, ObjectOf } from "@levelset/core";
import type { TestCluster } from "@levelset/apiserver/testing";
import type { Step } from "../../engine/index.ts";
import { job } from "./job.ts";
import type { JobOptions } from "./job.ts";
import { jobRecord } from "./job-record.ts";

/** A kind whose objects run pods. */
export const App = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "App",
  spec: s.object({
    image: s.string(),
    replicas: s.int32().default(1),
    /** Annotations of the pods: how the simulated ones behave. */
    pods: s.map(s.string()).default({}),
    ttl: s.int32().optional(),
    configSecret: s.string().optional(),
  }),
  status: s.object({ migration: jobRecord.optional(), backup: jobRecord.optional(), available: s.int32().optional() }),
});
/** Type of {@link App}. */
export type App = typeof App;

const labels = { app: "a" };

/** The Deployment of an App. */
export function deploymentOf(
  app: ObjectOf<App>,
  annotations: Readonly<Record<string, string>> = {},
): NewOf<typeof Deployment> {
  const { image, replicas, pods } = app.spec;
  const metadata = { labels, annotations: { ...pods, ...annotations } };
  const template = { metadata, spec: { containers: [{ name: "main", image }] } };
  return { metadata: { name: app.metadata.name }, spec: { replicas, selector: { matchLabels: labels }, template } };
}

/** The Job of an App. */
export function jobOf(app: ObjectOf<App>, what = "migrate"): NewOf<typeof Job> {
  const { image, pods, ttl } = app.spec;
  const spec = { restartPolicy: "Never" as const, containers: [{ name: "main", image }] };
  const template = { metadata: { annotations: pods }, spec };
  return {
    metadata: { name: `${app.metadata.name}-${what}` },
    spec: { template, backoffLimit: 0, ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }) },
  };
}

/** A step that runs this Job. */
export function migrate(options: Partial<JobOptions<App, readonly []>> = {}): Step<App> {
  return job(App, "Migrate", {
    condition: "MigrationReady",
    statusField: "migration",
    desired: ({ object }) => jobOf(object),
    ...options,
  });
}

/** A step that runs another Job on deletion. */
export const backup: Step<App> = job(App, "Backup", {
  statusField: "backup",
  phase: "cleanup",
  desired: ({ object }) => jobOf(object, "backup"),
});

/** One Job of the recorded history and how it ended. */
export interface JobRun {
  readonly uid: string;
  readonly image: string | undefined;
  readonly end: string | undefined;
}

/** Returns every Job that ever existed under a name, oldest first. */
export function jobRuns(cluster: TestCluster, name = "a-migrate"): readonly JobRun[] {
  const runs = new Map<string, JobRun>();
  for (const { metadata, spec, status } of cluster.history(Job, name)) {
    const end = status?.conditions?.find(({ type, status: is }) => is === "True" && /^(Complete|Failed)$/u.test(type));
    const image = spec?.template.spec?.containers[0]?.image;
    runs.set(metadata.uid, { uid: metadata.uid, image, end: end?.type });
  }
  return [...runs.values()];
}

/** Formats these runs: `web:1 Complete`. */
export function describeJobRuns(cluster: TestCluster, name?: string): readonly string[] {
  return jobRuns(cluster, name).map(({ image, end = "unfinished" }) => `${image} ${end}`);
}
