import type { Container, KubeObject, ObjectOf, Pod } from "@levelset/core";
import type { ObjectRef } from "../step/index.ts";

/** Something that a pod names in its spec. */
interface Need {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

/** What a pod cannot start without, as its spec names it: claims, Secrets and ConfigMaps. Nothing for a pod that has started. */
export function podNeeds(object: KubeObject): readonly ObjectRef[] {
  if (object.apiVersion !== "v1" || object.kind !== "Pod") return [];
  // The server that calls it a Pod has checked it.
  const { spec, status, metadata } = object as ObjectOf<typeof Pod>;
  if (status?.phase !== "Pending") return [];
  const { volumes = [] } = spec;
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  const projected = volumes.flatMap((volume) => volume.projected?.sources ?? []);
  const named: Readonly<Record<string, readonly (Need | undefined)[]>> = {
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
  return Object.entries(named).flatMap(([kind, needs]) =>
    namesOf(needs).map((name) => ({ apiVersion: "v1", kind, namespace: metadata.namespace ?? "", name })),
  );
}

function environment({ env = [] }: Container): readonly NonNullable<(typeof env)[number]["valueFrom"]>[] {
  return env.flatMap(({ valueFrom }) => valueFrom ?? []);
}

function namesOf(needs: readonly (Need | undefined)[]): readonly string[] {
  const names = needs.flatMap((need) => (need?.optional === true ? [] : (need?.name ?? [])));
  return [...new Set(names)].filter((name) => name !== "");
}
