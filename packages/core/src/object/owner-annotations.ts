import type { JsonPatchOperation } from "../patch/index.ts";
import { formatKey, objectKeyOf, parseApiVersion, parseKey } from "./key.ts";
import type { KubeObject } from "./object.ts";
import { controllerOf } from "./owner.ts";

const OWNER_UID_LABEL = "levelset.dev/owner-uid";
const OWNER_ANNOTATION = "levelset.dev/owner";

/** Annotation of an owner that is not an object of the cluster in which its children live; see `isRemoteOwner`. */
export const REMOTE_OWNER_ANNOTATION = "levelset.dev/elsewhere";

/**
 * Reports whether an object lives outside the cluster of its children, for example in the API of a fleet. Its children
 * have owner annotations instead of an owner reference: the garbage collector of the cluster would not find the owner
 * and would delete them. The controller of the owner deletes the children.
 */
export function isRemoteOwner({ metadata }: Pick<KubeObject, "metadata">): boolean {
  return metadata.annotations?.[REMOTE_OWNER_ANNOTATION] === "true";
}

/** The owner of an object, as recorded in its owner annotations. */
export interface AnnotatedOwner {
  readonly group: string;
  readonly kind: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * Returns the annotations that record the owner where an owner reference is not possible: the owner lives in another
 * namespace or cluster, or the object must survive the garbage collector. Only the owner's controller deletes such an
 * object.
 */
export function ownerAnnotations(owner: KubeObject): {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
} {
  const { group } = parseApiVersion(owner.apiVersion);
  return {
    labels: { [OWNER_UID_LABEL]: owner.metadata.uid },
    annotations: { [OWNER_ANNOTATION]: `${owner.kind}.${group}/${formatKey(objectKeyOf(owner))}` },
  };
}

/** Returns the owner recorded in the annotations, or undefined if they are absent or cannot be parsed. */
export function annotatedOwnerOf(object: KubeObject): AnnotatedOwner | undefined {
  const uid = object.metadata.labels?.[OWNER_UID_LABEL];
  const [, kind, group, key] =
    /^([^./]+)\.([^/]*)\/(.+)$/u.exec(object.metadata.annotations?.[OWNER_ANNOTATION] ?? "") ?? [];
  if (uid === undefined || kind === undefined || group === undefined || key === undefined) return undefined;
  return { group, kind, ...parseKey(key), uid };
}

/**
 * Returns the UID in the owner label of an object that has neither a controller nor a complete owner annotation: another
 * client has removed the rest. It does not prove who the owner is.
 */
export function strippedOwnerUid(object: KubeObject): string | undefined {
  return controllingOwnerUid(object) === undefined ? object.metadata.labels?.[OWNER_UID_LABEL] : undefined;
}

/**
 * Returns a JSON patch that removes the label and the annotation of this owner from an object, so that another owner can
 * adopt it. The `test` operations make it fail if the object was replaced or has another owner by now. Empty if the
 * object has neither.
 */
export function removeOwnerPatch(object: KubeObject, owner: KubeObject): readonly JsonPatchOperation[] {
  const marks = ownerAnnotations(owner);
  const operations = (["labels", "annotations"] as const).flatMap((field) =>
    Object.entries(marks[field]).flatMap(([name, value]): readonly JsonPatchOperation[] => {
      if (object.metadata[field]?.[name] !== value) return [];
      const path = `/metadata/${field}/${name.replaceAll("/", "~1")}`;
      return [
        { op: "test", path, value },
        { op: "remove", path },
      ];
    }),
  );
  return operations.length === 0
    ? []
    : [{ op: "test", path: "/metadata/uid", value: object.metadata.uid }, ...operations];
}

/** The object that manages another one. */
export type ManagingOwner = Omit<AnnotatedOwner, "namespace">;

/** Returns the object that manages this one: its controller, or else the owner in its owner annotations. */
export function managerOf(object: KubeObject): ManagingOwner | undefined {
  const controller = controllerOf(object);
  if (controller === undefined) return annotatedOwnerOf(object);
  const { apiVersion, kind, name, uid } = controller;
  return { group: parseApiVersion(apiVersion).group, kind, name, uid };
}

/** Returns the uid of the object that manages this one: its controller, or else the owner in its owner annotations. */
export function controllingOwnerUid(object: KubeObject): string | undefined {
  return controllerOf(object)?.uid ?? annotatedOwnerOf(object)?.uid;
}
