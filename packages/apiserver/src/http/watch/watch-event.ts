import { StatusError } from "@levelset/core";
import { stringifyJson } from "@levelset/core/internal";
import { versionedObjectOf } from "../../registry/index.ts";
import type { Resource } from "../../resource/index.ts";
import type { VersionedObject } from "../../registry/index.ts";
import type { StoreEvent } from "../../store/index.ts";
import type { ObjectMatcher } from "../request/query-params.ts";

/** Type of a watch event. */
export type WatchEventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";

/** A write as seen by one watcher. */
export interface VersionedWatchEvent {
  readonly type: WatchEventType;
  readonly view: VersionedObject;
}

/**
 * Converts a write to the event for a watcher with a selector. An object that leaves the selection is reported as
 * DELETED.
 */
export function toWatchEvent(
  resource: Resource,
  event: StoreEvent,
  matches: ObjectMatcher,
): VersionedWatchEvent | undefined {
  const view = versionedObjectOf(resource, event.record);
  const now = event.kind !== "deleted" && matches(view);
  const before = event.kind !== "created" && matches(versionedObjectOf(resource, event.previous));
  if (now) return { type: before ? "MODIFIED" : "ADDED", view };
  if (!before) return undefined;
  return { type: "DELETED", view: event.kind === "updated" ? lastSeen(resource, event) : view };
}

function lastSeen(resource: Resource, event: Extract<StoreEvent, { kind: "updated" }>): VersionedObject {
  const { object } = versionedObjectOf(resource, event.previous);
  const left = { ...object, metadata: { ...object.metadata, resourceVersion: String(event.revision) } };
  return { object: left, json: stringifyJson(left) };
}

/** Returns the text of one event. */
export function encodeWatchEvent(type: WatchEventType, objectJson: string): string {
  return `{"type":"${type}","object":${objectJson}}\n`;
}

/** Returns the ERROR event that ends a failed watch. */
export function encodeErrorEvent(error: StatusError): string {
  return encodeWatchEvent("ERROR", stringifyJson(error.toStatus()));
}

/** Returns a 410 error: the revision is compacted and the client must list again. */
export function resourceExpired(revision: number, oldest: number): StatusError {
  return new StatusError("Expired", `too old resource version: ${revision} (${oldest})`);
}

/** Returns the error of a watch whose client is too slow. */
export function watchTooSlow(): StatusError {
  return new StatusError("Expired", "too many undelivered events: the watch fell behind and was ended");
}
