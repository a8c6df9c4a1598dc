import { Deployment, Namespace } from "@levelset/core";
import { adapter, OWNER_ANNOTATION } from "@levelset/fleet/adapter";
import { input, ok, step, wait, workload } from "@levelset/operator";
import { namespaceForCluster, NodePool } from "./kinds.ts";

const REPLICAS_MAX = 50;

/** Validates the size. The severity is Error because only a change of the spec can fix it. */
const size = step(NodePool, "Size", {
  condition: "SizeAllowed",
  do: ({ spec: { replicas } }) =>
    replicas >= 0 && replicas <= REPLICAS_MAX
      ? ok()
      : wait(`spec.replicas: ${replicas} is not between 0 and ${REPLICAS_MAX}`, { severity: "Error" }),
});

/** Validates the spec. Creates no objects. */
export const poolValidation = adapter(NodePool, "validation", [size]);

/** The namespace of the cluster that the pool belongs to. */
const namespace = input(NodePool, "Namespace", {
  kind: Namespace,
  name: ({ metadata }) => namespaceForCluster(metadata.annotations?.[OWNER_ANNOTATION] ?? ""),
  pick: ({ metadata }) => (metadata.deletionTimestamp === undefined ? metadata.name : undefined),
});

/** Manages the machines of a pool. A Deployment with one replica per machine takes their place. */
export const poolHypershift = adapter(NodePool, "hypershift", [
  size,
  namespace,
  workload(NodePool, "Machines", {
    condition: "MachinesReady",
    uses: [namespace],
    kind: Deployment,
    desired: (req) => {
      const labels = { pool: req.name };
      return {
        metadata: { name: `pool-${req.name}`, namespace: req.from(namespace), labels },
        spec: {
          replicas: req.spec.replicas,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: "machine", image: "registry.example/machine:1.0" }] },
          },
        },
      };
    },
  }),
]);
