import { apiVersionOf } from "@levelset/core";
import type { Kind, NewOf } from "@levelset/core";

/** An object for `kubectl apply`. */
export type BaseManifest = Readonly<Record<string, unknown>>;

/** A file of a kustomize base. */
export interface BaseFile {
  /** Path relative to the directory of the base. */
  readonly path: string;
  readonly documents: readonly BaseManifest[];
}

/** Returns a file with these objects. */
export function baseFile(path: string, ...documents: readonly BaseManifest[]): BaseFile {
  return { path, documents };
}

/** Adds apiVersion and kind to an object; the compiler checks its fields. */
export function baseManifest<K extends Kind>(kind: K, object: NewOf<K>): BaseManifest {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object };
}
