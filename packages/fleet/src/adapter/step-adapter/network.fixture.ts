import { Deployment, Namespace, s } from "@levelset/core";
import { child, jobRecord, workload } from "@levelset/operator";
import { adapter, fleetKind } from "./index.ts";

/** The fleet kind Cluster of these tests. */
export const Cluster = fleetKind({
  kind: "Cluster",
  spec: s.object({ region: s.string().default("eu"), replicas: s.int32().default(1) }),
  status: s.object({ checked: jobRecord.optional(), seen: s.int32().optional() }),
});

const space = child(Cluster, "Space", {
  kind: Namespace,
  desired: ({ name }) => ({ metadata: { name: `fleet-${name}` } }),
});

/** An adapter that applies a namespace and a workload in it. */
export const NETWORK = adapter(Cluster, "network", [
  space,
  workload(Cluster, "Router", {
    kind: Deployment,
    desired: ({ name, spec }) => ({
      metadata: { name: "router", namespace: `fleet-${name}` },
      spec: {
        replicas: spec.replicas,
        selector: { matchLabels: { app: "router" } },
        template: {
          metadata: { labels: { app: "router" } },
          spec: { containers: [{ name: "router", image: `router:${spec.region}` }] },
        },
      },
    }),
  }),
]);
