import { ConfigMap, Deployment, Namespace, Secret } from "@levelset/core";
import { adapter, NAME_ANNOTATION } from "@levelset/fleet/adapter";
import { child, input, workload } from "@levelset/operator";
import { Cluster, namespaceOf } from "./kinds.ts";

/** The namespace, which is another adapter's: whoever needs it waits for it, and hears of it when it is there. */
const namespace = input(Cluster, "Namespace", {
  of: Namespace,
  name: ({ metadata }) => namespaceOf(metadata.name),
  pick: ({ metadata }) => (metadata.deletionTimestamp === undefined ? metadata.name : undefined),
});

/** Stands for records at a provider of DNS. */
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

/** Brings the credentials for images to where they are used. */
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

/** Keeps the control plane running. Until all of it is of the version that is asked for, the answer is neither yes nor no. */
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
