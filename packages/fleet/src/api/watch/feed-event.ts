import { stringifyJson } from "@levelset/core";
import { resourceJson } from "../../resource/index.ts";
import type { Resource } from "../../resource/index.ts";
import { select } from "../../search/index.ts";
import type { Selection } from "../../search/index.ts";
import type { FeedChange, FeedPosition } from "../../store/index.ts";

/** A resource is shown as it is, or is told to be no longer there. */
export type FeedEventKind = "present" | "gone";

/** A change of the feed as a server-sent event. Its text is made once for all who watch all of it. */
export class FeedEvent {
  readonly change: FeedChange;
  readonly #texts = new Map<FeedEventKind, string>();

  constructor(change: FeedChange) {
    this.change = change;
  }

  /** The event, as the kind that it is to one watcher. */
  text(kind: FeedEventKind, selection: Selection | undefined): string {
    const { resource, position } = this.change;
    if (selection !== undefined) return eventText(kind, resource, selection, position);
    const text = this.#texts.get(kind) ?? eventText(kind, resource, undefined, position);
    this.#texts.set(kind, text);
    return text;
  }
}

/** An event about a resource. Without a position nobody can resume after it. */
export function eventText(
  kind: FeedEventKind,
  resource: Resource,
  selection: Selection | undefined,
  position?: FeedPosition,
): string {
  const id = position === undefined ? "" : `id: ${position}\n`;
  return `event: ${kind}\n${id}data: ${stringifyJson(select(resourceJson(resource), selection))}\n\n`;
}
