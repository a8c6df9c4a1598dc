import { StatusError, stringifyJson } from "@levelset/core";
import { viewOf } from "../registry/index.ts";
import type { Resource, View } from "../registry/index.ts";
import type { StoreEvent } from "../store/index.ts";
import type { Matcher } from "./query.ts";

/** What a line of a watch is about. */
export type EventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";

/** A write as one watcher sees it. */
export interface WatchEvent {
  readonly type: EventType;
  readonly view: View;
}

/** What a watcher with a selector sees of a write: an object that leaves the selection is deleted for it. */
export function translate(resource: Resource, event: StoreEvent, matches: Matcher): WatchEvent | undefined {
  const view = viewOf(resource, event.record);
  const now = event.kind !== "deleted" && matches(view);
  const before = event.kind !== "created" && matches(viewOf(resource, event.previous));
  if (now) return { type: before ? "MODIFIED" : "ADDED", view };
  if (!before) return undefined;
  return { type: "DELETED", view: event.kind === "updated" ? lastSeen(resource, event) : view };
}

function lastSeen(resource: Resource, event: Extract<StoreEvent, { kind: "updated" }>): View {
  const { object } = viewOf(resource, event.previous);
  const left = { ...object, metadata: { ...object.metadata, resourceVersion: String(event.revision) } };
  return { object: left, json: stringifyJson(left) };
}

/** The text of one event. */
export function eventLine(type: EventType, objectJson: string): string {
  return `{"type":"${type}","object":${objectJson}}\n`;
}

/** The last line of a watch that cannot go on. */
export function errorLine(error: StatusError): string {
  return eventLine("ERROR", stringifyJson(error.toStatus()));
}

/** A watch whose revision is no longer kept: the client must list again. */
export function tooOld(revision: number, oldest: number): StatusError {
  return new StatusError("Expired", `too old resource version: ${revision} (${oldest})`);
}

/** A watch whose client did not keep up. */
export function tooSlow(): StatusError {
  return new StatusError("Expired", "too many undelivered events: the watch fell behind and was ended");
}
