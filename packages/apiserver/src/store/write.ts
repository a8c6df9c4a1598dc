import { unreachable } from "@levelset/core";
import type { ApiObject, StoredRecord, StoreEvent, StoreKey } from "./contract.ts";
import { Version } from "./version.ts";

/** A compare-and-swap, as it is asked for. */
export type Write =
  | { readonly kind: "create"; readonly key: StoreKey; readonly object: ApiObject }
  | { readonly kind: "update"; readonly key: StoreKey; readonly object: ApiObject; readonly expected: number }
  | { readonly kind: "delete"; readonly key: StoreKey; readonly expected: number };

/** What comes of a write: an event at the next revision, or nothing because something else is there. */
export type Decision =
  | { readonly kind: "event"; readonly event: StoreEvent }
  | { readonly kind: "conflict"; readonly current: StoredRecord | undefined };

/** Decides a write on what is there now; `revision` is the one that it gets if it is taken. */
export function decide(write: Write, current: StoredRecord | undefined, revision: number): Decision {
  if (write.kind === "create") {
    if (current !== undefined) return { kind: "conflict", current };
    const record = Version.of(write.key, write.object, revision);
    return { kind: "event", event: { kind: "created", revision, record } };
  }
  if (current?.revision !== write.expected) return { kind: "conflict", current };
  switch (write.kind) {
    case "update": {
      const record = Version.of(current.key, write.object, revision);
      return { kind: "event", event: { kind: "updated", revision, record, previous: current } };
    }
    case "delete":
      return { kind: "event", event: deletionOf(current, revision) };
    default:
      return unreachable(write);
  }
}

/** The removal of a version: its last state under the revision of the deletion. */
export function deletionOf(previous: StoredRecord, revision: number): StoreEvent {
  const record = Version.of(previous.key, previous.object, revision);
  return { kind: "deleted", revision, record, previous };
}
