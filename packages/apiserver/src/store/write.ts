import { unreachable } from "@levelset/core/internal";
import type { ApiObject, StoredRecord, StoreEvent, StoreKey } from "./store.ts";
import { ObjectVersion } from "./object-version.ts";

/** A requested compare-and-swap. */
export type StoreWrite =
  | { readonly kind: "create"; readonly key: StoreKey; readonly object: ApiObject }
  | { readonly kind: "update"; readonly key: StoreKey; readonly object: ApiObject; readonly expected: number }
  | { readonly kind: "delete"; readonly key: StoreKey; readonly expected: number };

/** Decision on a write: an event at the next revision, or a conflict with the stored object. */
export type WriteDecision =
  | { readonly kind: "event"; readonly event: StoreEvent }
  | { readonly kind: "conflict"; readonly current: StoredRecord | undefined };

/**
 * Decides a write against the stored object. `revision` is assigned to the event. Throws if the object has no JSON
 * form.
 */
export function decideWrite(write: StoreWrite, current: StoredRecord | undefined, revision: number): WriteDecision {
  if (write.kind === "create") {
    if (current !== undefined) return { kind: "conflict", current };
    const record = ObjectVersion.of(write.key, write.object, revision);
    return { kind: "event", event: { kind: "created", revision, record } };
  }
  if (current?.revision !== write.expected) return { kind: "conflict", current };
  switch (write.kind) {
    case "update": {
      const record = ObjectVersion.of(current.key, write.object, revision);
      return { kind: "event", event: { kind: "updated", revision, record, previous: current } };
    }
    case "delete":
      return { kind: "event", event: deletionEvent(current, revision) };
    default:
      return unreachable(write);
  }
}

/** Returns the deletion event of a version: its last state with the revision of the deletion. */
export function deletionEvent(previous: StoredRecord, revision: number): StoreEvent {
  const record = ObjectVersion.of(previous.key, previous.object, revision);
  return { kind: "deleted", revision, record, previous };
}
