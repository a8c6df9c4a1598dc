import { apiVersionOf } from "@levelset/core";
import type { Kind, KubeObject, ObjectKey } from "@levelset/core";

/** Reference to one object of any kind, such as the Secret that a step waits for. */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;
}

/** Returns a reference to an object that may not exist. */
export function refTo(kind: Kind, key: ObjectKey): ObjectRef {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...key };
}

/** Returns a reference to an existing object. */
export function refOf(object: KubeObject): ObjectRef {
  const { namespace, name } = object.metadata;
  const { apiVersion, kind } = object;
  return namespace === undefined ? { apiVersion, kind, name } : { apiVersion, kind, namespace, name };
}

/** Formats a reference as kubectl accepts it: `secret/numbers`. */
export function describeRef(ref: Pick<ObjectRef, "kind" | "name">): string {
  return `${ref.kind.toLowerCase()}/${ref.name}`;
}
