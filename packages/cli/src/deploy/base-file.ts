import { apiVersionOf } from "@levelset/core";
import type { Kind, NewOf } from "@levelset/core";

/** An object as `kubectl apply` takes it. */
export type Manifest = Readonly<Record<string, unknown>>;

/** A file of a kustomize base. */
export interface BaseFile {
  /** Below the base's directory. */
  readonly path: string;
  readonly documents: readonly Manifest[];
}

/** A file with these objects. */
export function file(path: string, ...documents: readonly Manifest[]): BaseFile {
  return { path, documents };
}

/** An object with its kind, checked by the compiler. */
export function manifest<K extends Kind>(kind: K, object: NewOf<K>): Manifest {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object };
}
