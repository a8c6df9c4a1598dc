import { stringifyJson } from "@levelset/core/internal";
import { formatEvent } from "@levelset/core/http";
import { resourceJson } from "../../resource/index.ts";
import type { Resource } from "../../resource/index.ts";
import { applyFieldMask } from "../../search/index.ts";
import type { FieldMask } from "../../search/index.ts";
import type { FeedChange, FeedPosition } from "../../store/index.ts";

/** Whether a resource is present or gone. */
export type FeedEventKind = "present" | "gone";

/** A feed change as a server-sent event. Its text is encoded once for all watchers without a field selection. */
export class FeedEvent {
  readonly change: FeedChange;
  readonly #texts = new Map<FeedEventKind, string>();

  constructor(change: FeedChange) {
    this.change = change;
  }

  /** Returns the event text for a watcher. */
  text(kind: FeedEventKind, selection: FieldMask | undefined): string {
    const { resource, position } = this.change;
    if (selection !== undefined) return eventText(kind, resource, selection, position);
    const text = this.#texts.get(kind) ?? eventText(kind, resource, undefined, position);
    this.#texts.set(kind, text);
    return text;
  }
}

/** Encodes an event. Without a position a client cannot resume after it. */
export function eventText(
  kind: FeedEventKind,
  resource: Resource,
  selection: FieldMask | undefined,
  position?: FeedPosition,
): string {
  const data = stringifyJson(applyFieldMask(resourceJson(resource), selection));
  return formatEvent({ event: kind, ...(position === undefined ? {} : { id: position }), data });
}
