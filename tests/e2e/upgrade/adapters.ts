import { readFileSync } from "node:fs";
import { ConfigMap, Deployment, Namespace, s } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { readAdapterConfig } from "@levelset/fleet/server";
import type { AdapterConfig } from "@levelset/fleet/server";
import { adapter, fleetKind } from "@levelset/fleet/adapter";
import { child, input, job, jobRecord, workload } from "@levelset/operator";
import { ROOT } from "../../support/repository.ts";

/*
 * The adapters of the recorded fleet. The objects that they apply are in the fixtures of every version, so a change
 * here causes writes to recorded objects: add a resource or a step instead of changing one.
 */

const Cluster = fleetKind({
  kind: "Cluster",
  spec: s.object({ region: s.string().default("eu"), replicas: s.int32().default(1) }),
  status: s.object({ checked: jobRecord.optional() }),
});

/** Another adapter applies the namespace. */
const namespace = input(Cluster, "Namespace", {
  kind: Namespace,
  name: ({ metadata }) => `fleet-${metadata.name}`,
  pick: ({ metadata }) => (metadata.deletionTimestamp === undefined ? metadata.name : undefined),
});

/** The adapter with steps in code. */
export const NETWORK = adapter(Cluster, "network", [
  namespace,
  child(Cluster, "Records", {
    condition: "RecordsReady",
    uses: [namespace],
    kind: ConfigMap,
    desired: (req) => ({
      metadata: { name: "records", namespace: req.from(namespace) },
      data: { at: req.spec.region },
    }),
  }),
  job(Cluster, "Check", {
    condition: "CheckReady",
    uses: [namespace],
    statusField: "checked",
    desired: (req) => ({
      metadata: { name: "check", namespace: req.from(namespace) },
      spec: {
        backoffLimit: 0,
        template: {
          spec: { restartPolicy: "Never", containers: [{ name: "check", image: "registry.example/check:1" }] },
        },
      },
    }),
  }),
  workload(Cluster, "Router", {
    condition: "RouterReady",
    uses: [namespace],
    kind: Deployment,
    desired: (req) => {
      const labels = { app: "router" };
      const containers = [{ name: "router", image: `registry.example/router:${req.spec.region}` }];
      return {
        metadata: { name: "router", namespace: req.from(namespace) },
        spec: {
          replicas: req.spec.replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers } },
        },
      };
    },
  }),
]);

/** The adapter that is configured in YAML. */
export function validationConfig(url: string, clock: Clock): AdapterConfig {
  const directory = `${ROOT}/tests/e2e/upgrade/validation`;
  return readAdapterConfig({
    path: `${directory}/adapter-config.yaml`,
    taskPath: `${directory}/adapter-task-config.yaml`,
    env: {},
    cwd: ROOT,
    flags: { "clients.hyperfleet_api.base_url": { flag: "test", text: url } },
    defaults: {},
    readText: (path) => readFileSync(path, "utf8"),
    now: () => clock.now(),
  });
}
