import { crdOf, kindId, Namespace, NetworkPolicy, PodDisruptionBudget, Service, ServiceAccount } from "@levelset/core";
import { file, manifest } from "./base-file.ts";
import type { BaseFile, Manifest } from "./base-file.ts";
import { metadataOf, PORT, selectorOf } from "./base-options.ts";
import type { BaseOptions } from "./base-options.ts";
import { deployment } from "./deployment.ts";
import { roles } from "./roles.ts";

/** Namespaces that are everywhere, and that nobody should declare anew. */
const GIVEN_NAMESPACES = ["default", "kube-system", "kube-public", "kube-node-lease"];

/** The objects that a cluster needs to run operators, in an order in which they can be applied. The same options give the same files. */
export function baseFiles(options: BaseOptions): readonly BaseFile[] {
  const { namespace, operators, replicas } = options;
  const kinds = options.installCrds ? [] : operators.flatMap((operator) => operator.kinds);
  return [
    ...(GIVEN_NAMESPACES.includes(namespace) ? [] : [file("namespace.yaml", restrictedNamespace(namespace))]),
    ...kinds.map((kind) => file(`crds/${kindId(kind)}.yaml`, { ...crdOf(kind) })),
    // Only the pods of the Deployment get a token, and they ask for it.
    file(
      "service-account.yaml",
      manifest(ServiceAccount, { metadata: metadataOf(options), automountServiceAccountToken: false }),
    ),
    ...roles(options),
    file("deployment.yaml", deployment(options)),
    file("service.yaml", metricsService(options)),
    file("network-policy.yaml", networkPolicy(options)),
    ...(replicas > 1 ? [file("pod-disruption-budget.yaml", disruptionBudget(options))] : []),
  ];
}

/** What kustomize reads first. It sets no namespace: each object has its own, and roles may be in others than the pods. */
export function kustomization(files: readonly BaseFile[]): BaseFile {
  return file("kustomization.yaml", {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    resources: files.map(({ path }) => path),
  });
}

function restrictedNamespace(name: string): Manifest {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  return manifest(Namespace, { metadata: { name, labels } });
}

function metricsService(options: BaseOptions): Manifest {
  const metadata = metadataOf(options);
  return manifest(Service, {
    metadata: { ...metadata, name: `${metadata.name}-metrics` },
    spec: {
      selector: selectorOf(options.name),
      ports: [{ name: "metrics", port: PORT.number, targetPort: PORT.name }],
    },
  });
}

/** What operators call cannot be known, so only what calls them is limited. */
function networkPolicy(options: BaseOptions): Manifest {
  const podSelector = { matchLabels: selectorOf(options.name) };
  return manifest(NetworkPolicy, {
    metadata: metadataOf(options),
    spec: { podSelector, policyTypes: ["Ingress"], ingress: [{ ports: [{ port: PORT.name, protocol: "TCP" }] }] },
  });
}

function disruptionBudget(options: BaseOptions): Manifest {
  const selector = { matchLabels: selectorOf(options.name) };
  return manifest(PodDisruptionBudget, { metadata: metadataOf(options), spec: { maxUnavailable: 1, selector } });
}
