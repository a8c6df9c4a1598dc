import type { Clock, Timer } from "@levelset/core";
import type { VersionedObject } from "../../registry/index.ts";
import type { CompactedRevision, StoreEvent, StoreWatch } from "../../store/index.ts";
import { encodeErrorEvent, encodeWatchEvent, resourceExpired, watchTooSlow } from "./watch-event.ts";
import type { VersionedWatchEvent } from "./watch-event.ts";
import type { WatchEventEncoder } from "./watch-event-encoder.ts";
import type { ResponseEncoder } from "../response-encoder.ts";

/** Options of {@link WatchStream}. */
export interface WatchStreamOptions {
  readonly clock: Clock;
  readonly responseEncoder: ResponseEncoder;
  /** Encodes events for all watchers. */
  readonly encoder: WatchEventEncoder;
  readonly signal: AbortSignal;
  /** Counts the stream. The returned function is called once, after the stream has released all resources. */
  readonly onOpen: () => () => void;
  readonly timeoutMs: number;
  /** Whether the client requested BOOKMARK events. */
  readonly bookmarks: boolean;
  /** Interval of bookmarks. */
  readonly bookmarkMs: number;
  /** Initial objects, sent as ADDED. */
  readonly initial: readonly VersionedObject[];
  /** Whether a bookmark marks the end of `initial`. */
  readonly sendInitialEventsEnd: boolean;
  /** Events after this revision are sent. */
  readonly from: number;
  /** Returns the revision of the latest write. */
  readonly revision: () => number;
  readonly notify: (notify: () => void) => StoreWatch | CompactedRevision;
  readonly translate: (event: StoreEvent) => VersionedWatchEvent | undefined;
}

/** Maximum chunk size, unless a single event is larger. */
const CHUNK_BYTES = 64 * 1024;
const INITIAL_EVENTS_END = { "k8s.io/initial-events-end": "true" };

/**
 * The body of a watch. Events wait in the bounded buffer of the store until the reader pulls; there is no polling. Ends
 * at its timeout, when the store closes, or when the client is too slow. Releases all resources when the reader cancels
 * or the signal aborts.
 */
export class WatchStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: Omit<WatchStreamOptions, "initial">;
  readonly #encoder = new TextEncoder();
  readonly #watch: StoreWatch | CompactedRevision;
  readonly #ended: () => void;
  #timers: Timer[] = [];
  /** The initial events; undefined once they are sent. */
  #beginning: Iterator<string> | undefined;
  #isBookmarkDue = false;
  #isExpired = false;
  #isDone = false;
  #notify: (() => void) | undefined;

  constructor({ initial, ...options }: WatchStreamOptions) {
    this.#options = options;
    this.#beginning = beginningOf(initial, options);
    this.#ended = options.onOpen();
    this.#watch = options.notify(() => this.#signalReader());
    this.body = this.#stream(options.signal);
    if (!options.signal.aborted) this.#arm();
  }

  #stream(signal: AbortSignal): ReadableStream<Uint8Array> {
    let onAbort = (): void => {};
    const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      onAbort = () => {
        this.#release();
        controller.error(signal.reason);
        this.#signalReader();
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort, { once: true });
    };
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      await this.#fill(controller);
      if (this.#isDone) signal.removeEventListener("abort", onAbort);
    };
    const cancel = (): void => {
      signal.removeEventListener("abort", onAbort);
      this.#release();
      this.#signalReader();
    };
    // Events stay in the store until the reader pulls.
    return new ReadableStream<Uint8Array>({ start, pull, cancel }, { highWaterMark: 0 });
  }

  #arm(): void {
    const { clock, timeoutMs, bookmarks } = this.#options;
    const expire = clock.after(timeoutMs, () => {
      this.#isExpired = true;
      this.#signalReader();
    });
    this.#timers.push(expire);
    if (bookmarks) this.#armBookmark();
  }

  #armBookmark(): void {
    const timer = this.#options.clock.after(this.#options.bookmarkMs, () => {
      this.#isBookmarkDue = true;
      this.#timers = this.#timers.filter((other) => other !== timer);
      this.#armBookmark();
      this.#signalReader();
    });
    this.#timers.push(timer);
  }

  /** Resolves when at least one chunk is enqueued or the stream has ended. */
  async #fill(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    while (!this.#isDone) {
      const chunk = this.#take();
      if (chunk.length > 0) controller.enqueue(chunk);
      if (this.#hasEnded()) {
        this.#release();
        controller.close();
        return;
      }
      if (chunk.length > 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#notify = resolve;
      await promise;
    }
  }

  /** Returns the pending events, up to the chunk size. */
  #take(): Uint8Array {
    const { from } = this.#options;
    if (this.#watch.kind === "compacted")
      return this.#encoder.encode(encodeErrorEvent(resourceExpired(from, this.#watch.oldest)));
    const lines: Uint8Array[] = [];
    let size = 0;
    const add = (line: Uint8Array): void => {
      lines.push(line);
      size += line.length;
    };
    for (let line = this.#next(this.#watch); line !== undefined; line = this.#next(this.#watch)) {
      add(line);
      if (size >= CHUNK_BYTES) break;
    }
    const last = this.#isAllSent(this.#watch) ? this.#bookmark() + this.#errorEvent(this.#watch) : "";
    if (last !== "") add(this.#encoder.encode(last));
    // A single event is sent as the bytes shared with other watchers.
    const [only] = lines;
    return only !== undefined && lines.length === 1 ? only : Buffer.concat(lines, size);
  }

  /** Returns the next event for this watcher; undefined if there is none. */
  #next(watch: StoreWatch): Uint8Array | undefined {
    const { responseEncoder, encoder, translate } = this.#options;
    const first = this.#beginning?.next();
    if (first?.done === false) return this.#encoder.encode(first.value);
    this.#beginning = undefined;
    for (let [event] = watch.take(1); event !== undefined; [event] = watch.take(1)) {
      const seen = translate(event);
      if (seen !== undefined) return encoder.encode(seen.type, seen.view, responseEncoder);
    }
    return undefined;
  }

  /** Returns a bookmark if one is due. Must be called only when no older event is pending. */
  #bookmark(): string {
    const isDue = this.#isBookmarkDue || (this.#isExpired && this.#options.bookmarks);
    if (!isDue) return "";
    this.#isBookmarkDue = false;
    return encodeWatchEvent("BOOKMARK", this.#options.responseEncoder.bookmark(String(this.#options.revision())));
  }

  /** Returns the ERROR event for a watcher that fell behind. */
  #errorEvent(watch: StoreWatch): string {
    return watch.endReason === "slow" ? encodeErrorEvent(watchTooSlow()) : "";
  }

  #isAllSent(watch: StoreWatch): boolean {
    return this.#beginning === undefined && watch.pendingCount === 0;
  }

  #hasEnded(): boolean {
    if (this.#watch.kind === "compacted") return true;
    return (this.#isExpired || this.#watch.endReason !== undefined) && this.#isAllSent(this.#watch);
  }

  #signalReader(): void {
    const notify = this.#notify;
    this.#notify = undefined;
    notify?.();
  }

  #release(): void {
    if (!this.#isDone) this.#ended();
    this.#isDone = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers = [];
    if (this.#watch.kind === "watch") this.#watch.close();
  }
}

/** Yields the initial objects as ADDED events, then the initial-events-end bookmark (KEP-3157). */
function* beginningOf(
  initial: readonly VersionedObject[],
  options: Pick<WatchStreamOptions, "responseEncoder" | "sendInitialEventsEnd" | "from">,
): Generator<string> {
  const { responseEncoder, sendInitialEventsEnd, from } = options;
  for (const view of initial) yield encodeWatchEvent("ADDED", responseEncoder.event(view));
  if (sendInitialEventsEnd)
    yield encodeWatchEvent("BOOKMARK", responseEncoder.bookmark(String(from), INITIAL_EVENTS_END));
}
