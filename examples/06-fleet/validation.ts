import { Namespace } from "@levelset/core";
import { adapter } from "@levelset/fleet/adapter";
import { child, job } from "@levelset/operator";
import { Cluster, namespaceForCluster } from "./kinds.ts";

const namespace = child(Cluster, "Namespace", {
  kind: Namespace,
  desired: ({ name }) => ({ metadata: { name: namespaceForCluster(name) } }),
});

const check = job(Cluster, "Check", {
  condition: "Checked",
  statusField: "checked",
  // Runs the Job again when its result is older than 30 minutes.
  rerun: { refreshMs: 30 * 60_000 },
  desired: ({ name, spec }) => ({
    metadata: { name: "validation", namespace: namespaceForCluster(name) },
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { annotations: { "sim.levelset.dev/run-for": "300ms" } },
        spec: {
          restartPolicy: "Never",
          containers: [{ name: "check", image: "registry.example/validation:1.0", args: [spec.region, spec.version] }],
        },
      },
    },
  }),
});

/** The adapter of the directory `validation`, written as steps in TypeScript. */
export default adapter(Cluster, "validation", [namespace, check]);
