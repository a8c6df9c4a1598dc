import type { EmbeddedObject, JsonObject } from "@levelset/core";

/** Metadata of a manifest besides its name. */
export interface ManifestMetadata {
  /** Operand annotations without their prefix. */
  readonly operand?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const PREFIX = "operand.levelset.dev/";

function metadata(
  name: string,
  namespace: string | undefined,
  { operand = {}, annotations = {} }: ManifestMetadata,
): JsonObject {
  const ours = Object.entries(operand).map(([key, value]) => [PREFIX + key, value]);
  const all: JsonObject = { ...annotations, ...Object.fromEntries(ours) };
  const home = namespace === undefined ? {} : { namespace };
  return Object.keys(all).length === 0 ? { name, ...home } : { name, ...home, annotations: all };
}

/** A ConfigMap. */
export function config(
  namespace: string,
  name: string,
  data: JsonObject = {},
  extra: ManifestMetadata = {},
): EmbeddedObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: metadata(name, namespace, extra), data };
}

/** A Deployment of one container for each image. */
export function deployment(
  namespace: string,
  name: string,
  images: readonly string[] = ["example.com/app:1"],
  extra: ManifestMetadata = {},
): EmbeddedObject {
  const labels = { app: name };
  const containers = images.map((image, index) => ({ name: `c${index}`, image }));
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadata(name, namespace, extra),
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

/** A Service. */
export function service(
  namespace: string,
  name: string,
  spec: JsonObject = {},
  extra: ManifestMetadata = {},
): EmbeddedObject {
  const ports = [{ port: 80 }];
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: metadata(name, namespace, extra),
    spec: { selector: { app: name }, ports, ...spec },
  };
}

/** A Job that runs one image. */
export function job(namespace: string, name: string, image: string, extra: ManifestMetadata = {}): EmbeddedObject {
  const spec = { restartPolicy: "Never", containers: [{ name: "main", image }] };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: metadata(name, namespace, extra),
    spec: { template: { spec } },
  };
}

/** A Secret without data. */
export function secret(namespace: string, name: string, extra: ManifestMetadata = {}): EmbeddedObject {
  return { apiVersion: "v1", kind: "Secret", metadata: metadata(name, namespace, extra) };
}

/** Returns a cluster-scoped object of any kind. */
export function clusterScopedObject(
  apiVersion: string,
  kind: string,
  name: string,
  fields: JsonObject = {},
): EmbeddedObject {
  return { apiVersion, kind, metadata: metadata(name, undefined, {}), ...fields };
}

/** Returns the CRD of a kind with schemaless objects. */
export function crd(group: string, kind: string): EmbeddedObject {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return clusterScopedObject("apiextensions.k8s.io/v1", "CustomResourceDefinition", `${plural}.${group}`, {
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
}
