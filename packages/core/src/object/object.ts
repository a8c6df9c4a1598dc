/**
 * A Kubernetes object as plain JSON. Objects read from a server have a uid and a resourceVersion; objects to be written
 * need only a name.
 */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** The metadata of an object as returned by a server. */
export interface ObjectMeta extends NewMeta {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Incremented on changes of the spec. Absent for kinds without a spec (ConfigMap, Secret). */
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** The metadata that a writer may set. */
export interface NewMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/** Field ownership as recorded by server-side apply. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
  readonly subresource?: string;
}

/** A reference from a child to an owner in the same namespace, or to a cluster-scoped owner. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Reports whether the deletion of this object has been requested. */
export function isDeleting(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
