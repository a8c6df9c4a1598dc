import type { VersionedObject } from "../../registry/index.ts";
import { encodeWatchEvent } from "./watch-event.ts";
import type { WatchEventType } from "./watch-event.ts";
import type { ResponseEncoder } from "../response-encoder.ts";

/** Maximum number of recently encoded objects that are cached for slower watchers. */
const LINES_MAX = 256;
const BYTES_MAX = 4 * 1024 * 1024;

/**
 * Encodes each event once for all watchers with the same representation. A thousand watchers of one write share the
 * same bytes.
 */
export class WatchEventEncoder {
  readonly #encoder = new TextEncoder();
  /** Encoded events per object, oldest first. */
  readonly #lines = new Map<VersionedObject, Map<string, Uint8Array>>();
  #bytes = 0;

  /** Returns the bytes of one event. They are shared and must not be modified. */
  encode(type: WatchEventType, view: VersionedObject, responseEncoder: ResponseEncoder): Uint8Array {
    if (responseEncoder.cacheKey === undefined) return this.#encode(type, view, responseEncoder);
    const form = `${type}/${responseEncoder.cacheKey}`;
    const known = this.#lines.get(view);
    const found = known?.get(form);
    if (found !== undefined) return found;
    const line = this.#encode(type, view, responseEncoder);
    this.#lines.set(view, (known ?? new Map<string, Uint8Array>()).set(form, line));
    this.#bytes += line.length;
    while (this.#lines.size > LINES_MAX || this.#bytes > BYTES_MAX) this.#dropOldest();
    return line;
  }

  #encode(type: WatchEventType, view: VersionedObject, responseEncoder: ResponseEncoder): Uint8Array {
    return this.#encoder.encode(encodeWatchEvent(type, responseEncoder.event(view)));
  }

  #dropOldest(): void {
    for (const [view, lines] of this.#lines) {
      for (const line of lines.values()) this.#bytes -= line.length;
      this.#lines.delete(view);
      return;
    }
  }
}
