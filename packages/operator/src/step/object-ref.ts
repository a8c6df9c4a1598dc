import { apiVersionOf } from "@levelset/core";
import type { Kind, KubeObject, ObjectKey } from "@levelset/core";

/** Names one object of any kind: what a result is about, such as the Secret that a step waits for. */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;
}

/** Names an object that may not be there. */
export function refTo(kind: Kind, key: ObjectKey): ObjectRef {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...key };
}

/** Names an object that is there. */
export function refOf(object: KubeObject): ObjectRef {
  const { namespace, name } = object.metadata;
  const { apiVersion, kind } = object;
  return namespace === undefined ? { apiVersion, kind, name } : { apiVersion, kind, namespace, name };
}

/** `secret/numbers`: an object for people, as kubectl takes it. */
export function describeRef(ref: Pick<ObjectRef, "kind" | "name">): string {
  return `${ref.kind.toLowerCase()}/${ref.name}`;
}
