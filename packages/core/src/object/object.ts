/**
 * A Kubernetes object as it travels: plain JSON. Objects that were read carry what the server gave them (uid,
 * resourceVersion); objects that are about to be written need only a name.
 */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** The metadata of an object that a server has answered with. */
export interface ObjectMeta extends NewMeta {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Counts changes of spec. Absent for kinds without one (ConfigMap, Secret). */
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** The metadata that a writer may give. */
export interface NewMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/** Who owns which fields, as server-side apply records it. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
  readonly subresource?: string;
}

/** A reference from a child to an owner in the same namespace, or to a cluster-scoped one. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Whether the server has been asked to delete this object. */
export function isDeleting(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
