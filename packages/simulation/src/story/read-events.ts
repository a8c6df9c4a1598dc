import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import type { StoryEvent } from "../run/index.ts";
import { unknownValue } from "./field-check.ts";

const KINDS: Readonly<Record<StoryEvent["kind"], true>> = {
  operation: true,
  fault: true,
  write: true,
  status: true,
  process: true,
  violation: true,
};

/** Reads the recorded events of a run. Returns what is wrong with them if they are none. */
export function readEvents(value: JsonValue): readonly StoryEvent[] | string {
  if (!Array.isArray(value)) return "events: not a list";
  const events: StoryEvent[] = [];
  for (const [index, item] of value.entries()) {
    const event = readEvent(item);
    if (typeof event === "string") return `events[${index}]${event}`;
    events.push(event);
  }
  return events;
}

function readEvent(item: JsonValue): StoryEvent | string {
  if (!isJsonObject(item)) return ": not an object";
  const { atMs, kind, text } = item;
  if (typeof atMs !== "number" || !Number.isFinite(atMs) || atMs < 0) return ".atMs: not a time in milliseconds";
  if (typeof kind !== "string" || !isKind(kind)) return `.kind: ${unknownValue(kind)}`;
  if (typeof text !== "string") return ".text: not a text";
  return { atMs, kind, text };
}

function isKind(kind: string): kind is StoryEvent["kind"] {
  return Object.hasOwn(KINDS, kind);
}
