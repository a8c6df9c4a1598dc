import type { Container, KubeObject, ObjectOf, Pod } from "@levelset/core";
import type { ObjectRef } from "../engine/index.ts";

/** A reference in a pod spec. */
interface PodReference {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

/**
 * Returns the PersistentVolumeClaims, Secrets and ConfigMaps that a pending pod needs to start. Returns none for a pod
 * that has started.
 */
export function podDependencies(object: KubeObject): readonly ObjectRef[] {
  if (object.apiVersion !== "v1" || object.kind !== "Pod") return [];
  // The server has validated it as a Pod.
  const { spec, status, metadata } = object as ObjectOf<typeof Pod>;
  if (status?.phase !== "Pending") return [];
  const { volumes = [] } = spec;
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  const projected = volumes.flatMap((volume) => volume.projected?.sources ?? []);
  const referenced: Readonly<Record<string, readonly (PodReference | undefined)[]>> = {
    PersistentVolumeClaim: volumes.map(({ persistentVolumeClaim: claim }) => ({ name: claim?.claimName })),
    Secret: [
      ...volumes.map(({ secret }) => secret && { ...secret, name: secret.secretName }),
      ...projected.map(({ secret }) => secret),
      ...containers.flatMap((container) => environment(container).map(({ secretKeyRef }) => secretKeyRef)),
      ...containers.flatMap(({ envFrom = [] }) => envFrom.map(({ secretRef }) => secretRef)),
    ],
    ConfigMap: [
      ...volumes.map(({ configMap }) => configMap),
      ...projected.map(({ configMap }) => configMap),
      ...containers.flatMap((container) => environment(container).map(({ configMapKeyRef }) => configMapKeyRef)),
      ...containers.flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef)),
    ],
  };
  return Object.entries(referenced).flatMap(([kind, references]) =>
    namesOf(references).map((name) => ({ apiVersion: "v1", kind, namespace: metadata.namespace ?? "", name })),
  );
}

function environment({ env = [] }: Container): readonly NonNullable<(typeof env)[number]["valueFrom"]>[] {
  return env.flatMap(({ valueFrom }) => valueFrom ?? []);
}

function namesOf(references: readonly (PodReference | undefined)[]): readonly string[] {
  const names = references.flatMap((reference) => (reference?.optional === true ? [] : (reference?.name ?? [])));
  return [...new Set(names)].filter((name) => name !== "");
}
