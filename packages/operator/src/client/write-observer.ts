import type { Kind, KubeObject, ObjectKey } from "@levelset/core";

/** Hears what becomes of a client's writes. Dry runs are not writes. */
export interface WriteObserver {
  /** The server answered with this version. */
  written(kind: Kind, object: KubeObject): void;
  /** The server answered that this incarnation is gone. */
  deleted(kind: Kind, key: ObjectKey, uid: string): void;
  /** No answer came, or none that says: it may have happened, or happen yet. */
  unknown(kind: Kind): void;
}
