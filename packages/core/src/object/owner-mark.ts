import { formatKey, keyOf, parseApiVersion, parseKey } from "./key.ts";
import type { KubeObject } from "./object.ts";
import { controllerOf } from "./owner.ts";

const OWNER_UID_LABEL = "levelset.dev/owner-uid";
const OWNER_ANNOTATION = "levelset.dev/owner";

/** Says that an object is no object of the cluster in which its children live; see `isElsewhere`. */
export const ELSEWHERE_ANNOTATION = "levelset.dev/elsewhere";

/**
 * Whether an object lives somewhere else than its children: in the API of a fleet, say. No owner reference can lead to it: the cluster's
 * garbage collector would take its children for orphans. They carry marks instead, and its controller removes them.
 */
export function isElsewhere({ metadata }: Pick<KubeObject, "metadata">): boolean {
  return metadata.annotations?.[ELSEWHERE_ANNOTATION] === "true";
}

/** Whose an object is, as an owner mark tells it. */
export interface MarkedOwner {
  readonly group: string;
  readonly kind: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * What marks an object as somebody's where an owner reference cannot: the owner lives in another namespace, or the object must not
 * be collected with it. Nothing but the owner's controller removes such an object.
 */
export function ownerMark(owner: KubeObject): {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
} {
  const { group } = parseApiVersion(owner.apiVersion);
  return {
    labels: { [OWNER_UID_LABEL]: owner.metadata.uid },
    annotations: { [OWNER_ANNOTATION]: `${owner.kind}.${group}/${formatKey(keyOf(owner))}` },
  };
}

/** Whose an object is by its mark; undefined when it has none that can be read. */
export function markedOwner(object: KubeObject): MarkedOwner | undefined {
  const uid = object.metadata.labels?.[OWNER_UID_LABEL];
  const [, kind, group, key] =
    /^([^./]+)\.([^/]*)\/(.+)$/u.exec(object.metadata.annotations?.[OWNER_ANNOTATION] ?? "") ?? [];
  if (uid === undefined || kind === undefined || group === undefined || key === undefined) return undefined;
  return { group, kind, ...parseKey(key), uid };
}

/** The object that manages another one. */
export type ManagingOwner = Omit<MarkedOwner, "namespace">;

/** The object that manages this one: its controller, or else the owner in its owner mark. */
export function managerOf(object: KubeObject): ManagingOwner | undefined {
  const controller = controllerOf(object);
  if (controller === undefined) return markedOwner(object);
  const { apiVersion, kind, name, uid } = controller;
  return { group: parseApiVersion(apiVersion).group, kind, name, uid };
}

/** The uid of whoever manages an object: its controller, or the owner that a mark tells. */
export function managerUid(object: KubeObject): string | undefined {
  return controllerOf(object)?.uid ?? markedOwner(object)?.uid;
}
