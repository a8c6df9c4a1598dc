import { crdOf, kindId, Namespace, NetworkPolicy, PodDisruptionBudget, Service, ServiceAccount } from "@levelset/core";
import { baseFile, baseManifest } from "./base-file.ts";
import type { BaseFile, BaseManifest } from "./base-file.ts";
import { metadataOf, ENDPOINT_PORT, selectorOf } from "./base-options.ts";
import type { BaseOptions } from "./base-options.ts";
import { deployment } from "./deployment.ts";
import { roles } from "./roles.ts";

/** Namespaces of every cluster, which a base must not declare. */
const PREDEFINED_NAMESPACES = ["default", "kube-system", "kube-public", "kube-node-lease"];

/** Returns the objects that run operators in a cluster, in apply order. Deterministic. */
export function baseFiles(options: BaseOptions): readonly BaseFile[] {
  const { namespace, operators, replicas } = options;
  const kinds = options.installCrds ? [] : operators.flatMap((operator) => operator.kinds);
  return [
    ...(PREDEFINED_NAMESPACES.includes(namespace) ? [] : [baseFile("namespace.yaml", restrictedNamespace(namespace))]),
    ...kinds.map((kind) => baseFile(`crds/${kindId(kind)}.yaml`, { ...crdOf(kind) })),
    // Only the pods of the Deployment mount a token: their pod spec requests it.
    baseFile(
      "service-account.yaml",
      baseManifest(ServiceAccount, { metadata: metadataOf(options), automountServiceAccountToken: false }),
    ),
    ...roles(options),
    baseFile("deployment.yaml", deployment(options)),
    baseFile("service.yaml", metricsService(options)),
    baseFile("network-policy.yaml", networkPolicy(options)),
    ...(replicas > 1 ? [baseFile("pod-disruption-budget.yaml", disruptionBudget(options))] : []),
  ];
}

/** Returns kustomization.yaml. It sets no namespace, because Roles may be in other namespaces than the pods. */
export function kustomization(files: readonly BaseFile[]): BaseFile {
  return baseFile("kustomization.yaml", {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    resources: files.map(({ path }) => path),
  });
}

function restrictedNamespace(name: string): BaseManifest {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  return baseManifest(Namespace, { metadata: { name, labels } });
}

function metricsService(options: BaseOptions): BaseManifest {
  const metadata = metadataOf(options);
  return baseManifest(Service, {
    metadata: { ...metadata, name: `${metadata.name}-metrics` },
    spec: {
      selector: selectorOf(options.name),
      ports: [{ name: "metrics", port: ENDPOINT_PORT.number, targetPort: ENDPOINT_PORT.name }],
    },
  });
}

/** Restricts ingress only: the egress of operators is not known. */
function networkPolicy(options: BaseOptions): BaseManifest {
  const podSelector = { matchLabels: selectorOf(options.name) };
  return baseManifest(NetworkPolicy, {
    metadata: metadataOf(options),
    spec: {
      podSelector,
      policyTypes: ["Ingress"],
      ingress: [{ ports: [{ port: ENDPOINT_PORT.name, protocol: "TCP" }] }],
    },
  });
}

function disruptionBudget(options: BaseOptions): BaseManifest {
  const selector = { matchLabels: selectorOf(options.name) };
  return baseManifest(PodDisruptionBudget, { metadata: metadataOf(options), spec: { maxUnavailable: 1, selector } });
}
