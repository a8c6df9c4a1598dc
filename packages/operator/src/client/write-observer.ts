import type { Kind, KubeObject, ObjectKey } from "@levelset/core";

/** Observes the outcomes of a client's writes. Dry runs are not observed. */
export interface WriteObserver {
  /** The server responded with this version. */
  onWrite(kind: Kind, object: KubeObject): void;
  /** The server confirmed that the object with this UID is deleted. */
  onDelete(kind: Kind, key: ObjectKey, uid: string): void;
  /** The response is missing or inconclusive: the write may have happened, or may still happen. */
  onUnknownOutcome(kind: Kind): void;
}
