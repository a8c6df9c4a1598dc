import { Job } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import type { TestCluster } from "@levelset/apiserver/testing";

/** Settings of {@link job}. */
export interface JobSettings {
  readonly image?: string;
  readonly ttl?: number;
  /** How the simulated pods behave, such as `run-for: 10m` or `exit-code: "1"`. */
  readonly pods?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** Operand annotations without their prefix. */
  readonly operand?: Readonly<Record<string, string>>;
  readonly namespace?: string;
}

function prefixed(prefix: string, map: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [prefix + key, value]));
}

/** A manifest of a Job whose image identifies the run. */
export function job(name: string, settings: JobSettings = {}): EmbeddedObject {
  const { image = "web:1", ttl, pods = {}, labels = {}, operand = {}, namespace = "default" } = settings;
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, namespace, labels, annotations: prefixed("operand.levelset.dev/", operand) },
    spec: {
      backoffLimit: 0,
      ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }),
      template: {
        metadata: { annotations: prefixed("sim.levelset.dev/", pods) },
        spec: { restartPolicy: "Never", containers: [{ name: "main", image }] },
      },
    },
  };
}

/** Returns every Job that ever existed under a name, oldest first: `web:1 Complete`. */
export function jobRuns(cluster: TestCluster, name: string, namespace = "default"): readonly string[] {
  const runs = new Map<string, string>();
  for (const { metadata, spec, status } of cluster.history(Job, name, namespace)) {
    const end = status?.conditions?.find(({ type, status: is }) => is === "True" && /^(Complete|Failed)$/u.test(type));
    const image = spec?.template.spec?.containers[0]?.image;
    runs.set(metadata.uid, `${image} ${end?.type ?? "unfinished"}`);
  }
  return [...runs.values()];
}
