import type { ApiObject } from "../store/index.ts";
import { conflict } from "./failure.ts";
import type { Subject } from "./failure.ts";

/** Conditions under which a deletion happens. */
export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** What a deletion does to an object: it goes, or it is marked and waits for its finalizers. */
export type Removal =
  | { readonly kind: "remove" }
  | { readonly kind: "mark"; readonly object: ApiObject }
  /** Marked before; nothing changes. */
  | { readonly kind: "wait" };

/** Decides a deletion. */
export function removal(object: ApiObject, now: string): Removal {
  const { metadata } = object;
  if ((metadata.finalizers ?? []).length === 0) return { kind: "remove" };
  if (metadata.deletionTimestamp !== undefined) return { kind: "wait" };
  return { kind: "mark", object: marked(object, now) };
}

/** The object as asked to be deleted at `now`. */
export function marked(object: ApiObject, now: string): ApiObject {
  const { metadata } = object;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }),
      deletionTimestamp: now,
      deletionGracePeriodSeconds: 0,
    },
  };
}

/** Whether an update left an object that was only waiting for its finalizers. */
export function isReleased(object: ApiObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && (object.metadata.finalizers ?? []).length === 0;
}

/** Throws Conflict where a precondition does not hold. */
export function checkRemovalPreconditions(subject: Subject, object: ApiObject, preconditions: Preconditions): void {
  const { name, uid, resourceVersion } = object.metadata;
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    const why = `Precondition failed: UID in precondition: ${preconditions.uid}, UID in object meta: ${uid}`;
    throw conflict(subject, name, why);
  }
  if (preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    const why = `Precondition failed: ResourceVersion in precondition: ${preconditions.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`;
    throw conflict(subject, name, why);
  }
}
