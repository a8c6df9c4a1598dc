import { ConfigMap, Deployment, Namespace, Secret } from "@levelset/core";
import { adapter, NAME_ANNOTATION } from "@levelset/fleet/adapter";
import { child, input, workload } from "@levelset/operator";
import { Cluster, namespaceForCluster } from "./kinds.ts";

/** The namespace, which the validation adapter creates. Adapters wait for it and run again when it appears. */
const namespace = input(Cluster, "Namespace", {
  kind: Namespace,
  name: ({ metadata }) => namespaceForCluster(metadata.name),
  pick: ({ metadata }) => (metadata.deletionTimestamp === undefined ? metadata.name : undefined),
});

/** Manages DNS records. A ConfigMap takes the place of a DNS provider. */
export const dns = adapter(Cluster, "dns", [
  namespace,
  child(Cluster, "Records", {
    condition: "RecordsReady",
    uses: [namespace],
    kind: ConfigMap,
    desired: (req) => {
      const name = req.object.metadata.annotations?.[NAME_ANNOTATION] ?? req.name;
      const host = `api.${name}.${req.spec.region}.example`;
      return { metadata: { name: "dns", namespace: req.from(namespace) }, data: { host } };
    },
  }),
]);

/** Manages the image pull Secret of the control plane. */
export const pullSecret = adapter(Cluster, "pullsecret", [
  namespace,
  child(Cluster, "PullSecret", {
    condition: "PullSecretReady",
    uses: [namespace],
    kind: Secret,
    desired: (req) => ({
      metadata: { name: "pull-secret", namespace: req.from(namespace) },
      type: "kubernetes.io/dockerconfigjson",
      stringData: { ".dockerconfigjson": JSON.stringify({ auths: {} }) },
    }),
  }),
]);

const labels = { app: "control-plane" };

/**
 * Manages the Deployment of the control plane. Reports Available=Unknown until all replicas run the declared version.
 */
export const hypershift = adapter(Cluster, "hypershift", [
  namespace,
  workload(Cluster, "ControlPlane", {
    condition: "ControlPlaneReady",
    uses: [namespace],
    kind: Deployment,
    desired: (req) => ({
      metadata: { name: "control-plane", namespace: req.from(namespace), labels },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            imagePullSecrets: [{ name: "pull-secret" }],
            containers: [{ name: "main", image: `registry.example/control-plane:${req.spec.version}` }],
          },
        },
      },
    }),
  }),
]);
