import type { View } from "../registry/index.ts";
import { eventLine } from "./event.ts";
import type { EventType } from "./event.ts";
import type { Presenter } from "./presenter.ts";

/** How much of what was sent lately is kept for watchers that come to it a little later. */
const LINES_MAX = 256;
const BYTES_MAX = 4 * 1024 * 1024;

/**
 * Events as they go over the wire, each encoded once for all watchers that see it in the same form. A thousand watchers of one
 * write cost a thousand references to the same bytes.
 */
export class EventLines {
  readonly #encoder = new TextEncoder();
  /** The latest lines, oldest first. */
  readonly #lines = new Map<View, Map<string, Uint8Array>>();
  #bytes = 0;

  /** The bytes of one event. Nobody may change them. */
  line(type: EventType, view: View, presenter: Presenter): Uint8Array {
    if (presenter.sharedAs === undefined) return this.#encode(type, view, presenter);
    const form = `${type}/${presenter.sharedAs}`;
    const known = this.#lines.get(view);
    const found = known?.get(form);
    if (found !== undefined) return found;
    const line = this.#encode(type, view, presenter);
    this.#lines.set(view, (known ?? new Map<string, Uint8Array>()).set(form, line));
    this.#bytes += line.length;
    while (this.#lines.size > LINES_MAX || this.#bytes > BYTES_MAX) this.#dropOldest();
    return line;
  }

  #encode(type: EventType, view: View, presenter: Presenter): Uint8Array {
    return this.#encoder.encode(eventLine(type, presenter.event(view)));
  }

  #dropOldest(): void {
    for (const [view, lines] of this.#lines) {
      for (const line of lines.values()) this.#bytes -= line.length;
      this.#lines.delete(view);
      return;
    }
  }
}
