import {
  ClusterRole,
  ConfigMap,
  Deployment,
  Ingress,
  Job,
  kindId,
  PersistentVolumeClaim,
  Secret,
  Service,
  StatefulSet,
} from "@levelset/core";
import type { Kind, KubeObject } from "@levelset/core";
import type { TestCluster } from "@levelset/apiserver/testing";

/** The kinds of the children of all programs. */
const CHILD_KINDS: readonly Kind[] = [
  ClusterRole,
  ConfigMap,
  Deployment,
  Ingress,
  Job,
  PersistentVolumeClaim,
  Secret,
  Service,
  StatefulSet,
];

/** An object of one of these kinds. */
export interface Child {
  readonly kind: Kind;
  readonly object: KubeObject;
  /** Its kind, namespace and name. */
  readonly id: string;
}

/** Returns all objects of these kinds. */
export async function listChildren(cluster: TestCluster): Promise<readonly Child[]> {
  const lists = await Promise.all(CHILD_KINDS.map(async (kind) => ({ kind, objects: await cluster.list(kind) })));
  return lists.flatMap(({ kind, objects }) =>
    objects.map((object) => {
      const { namespace = "", name } = object.metadata;
      return { kind, object, id: `${kindId(kind)} ${namespace}/${name}` };
    }),
  );
}

/** Returns the ids of the objects in the first list that are not in the second. */
export function idsWithout(children: readonly Child[], others: readonly Child[]): readonly string[] {
  const known = new Set(others.map(({ id }) => id));
  return children.map(({ id }) => id).filter((id) => !known.has(id));
}
