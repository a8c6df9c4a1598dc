import { Deployment, Namespace } from "@levelset/core";
import { adapter, OWNER_ANNOTATION } from "@levelset/fleet/adapter";
import { input, ok, step, wait, workload } from "@levelset/operator";
import { namespaceOf, NodePool } from "./kinds.ts";

const REPLICAS_MAX = 50;

/** What only a person can mend is an error. */
const size = step(NodePool, "Size", {
  condition: "SizeAllowed",
  do: ({ spec: { replicas } }) =>
    replicas >= 0 && replicas <= REPLICAS_MAX
      ? ok()
      : wait(`${replicas} nodes are not 0 to ${REPLICAS_MAX}`, { severity: "Error" }),
});

/** Looks at what is declared, and makes nothing. */
export const poolValidation = adapter(NodePool, "validation", [size]);

/** The namespace of the cluster that the pool belongs to. */
const namespace = input(NodePool, "Namespace", {
  of: Namespace,
  name: ({ metadata }) => namespaceOf(metadata.annotations?.[OWNER_ANNOTATION] ?? ""),
  pick: ({ metadata }) => (metadata.deletionTimestamp === undefined ? metadata.name : undefined),
});

/** Stands for machines: a replica for each. */
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
