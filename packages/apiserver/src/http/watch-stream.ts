import type { Clock, Timer } from "@levelset/core";
import type { View } from "../registry/index.ts";
import type { Compacted, StoreEvent, StoreWatch } from "../store/index.ts";
import { errorLine, eventLine, tooOld, tooSlow } from "./event.ts";
import type { WatchEvent } from "./event.ts";
import type { EventLines } from "./event-lines.ts";
import type { Presenter } from "./presenter.ts";

/** What a stream of events needs. */
export interface WatchStreamOptions {
  readonly clock: Clock;
  readonly presenter: Presenter;
  /** Where events are encoded for all watchers. */
  readonly lines: EventLines;
  readonly signal: AbortSignal;
  /** Counts the stream; the function it returns is called once when the stream has let go of everything. */
  readonly opened: () => () => void;
  readonly timeoutMs: number;
  /** Whether the client takes BOOKMARK events. */
  readonly bookmarks: boolean;
  /** Objects that come first, as ADDED. */
  readonly initial: readonly View[];
  /** Whether a bookmark marks the end of `initial`. */
  readonly initialEnd: boolean;
  /** The revision that the watch follows. */
  readonly from: number;
  /** The revision of the latest write. */
  readonly revision: () => number;
  readonly open: (wake: () => void) => StoreWatch | Compacted;
  readonly translate: (event: StoreEvent) => WatchEvent | undefined;
}

const BOOKMARK_MS = 60_000;
/** What is handed to the reader at once, unless a single event is larger. */
const CHUNK_BYTES = 64 * 1024;
const INITIAL_EVENTS_END = { "k8s.io/initial-events-end": "true" };

/**
 * The body of a watch. Events wait in the store's bounded buffer until the reader asks; nothing here polls. Ends after its
 * time, when the store closes or the client is too slow, and lets go of everything when the reader cancels or the signal aborts.
 */
export class WatchStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: Omit<WatchStreamOptions, "initial">;
  readonly #encoder = new TextEncoder();
  readonly #watch: StoreWatch | Compacted;
  readonly #ended: () => void;
  #timers: Timer[] = [];
  /** The lines that come first; undefined once they are sent. */
  #beginning: Iterator<string> | undefined;
  #isBookmarkDue = false;
  #isExpired = false;
  #isDone = false;
  #wake: (() => void) | undefined;

  constructor({ initial, ...options }: WatchStreamOptions) {
    this.#options = options;
    this.#beginning = beginningOf(initial, options);
    this.#ended = options.opened();
    this.#watch = options.open(() => this.#signalReader());
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
    // Nothing is taken from the store before somebody reads.
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
    const timer = this.#options.clock.after(BOOKMARK_MS, () => {
      this.#isBookmarkDue = true;
      this.#timers = this.#timers.filter((other) => other !== timer);
      this.#armBookmark();
      this.#signalReader();
    });
    this.#timers.push(timer);
  }

  /** Resolves when at least one chunk was handed over or the stream has ended. */
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
      this.#wake = resolve;
      await promise;
    }
  }

  /** What can be sent now, up to the size of a chunk. */
  #take(): Uint8Array {
    const { from } = this.#options;
    if (this.#watch.kind === "compacted") return this.#encoder.encode(errorLine(tooOld(from, this.#watch.oldest)));
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
    const last = this.#isAllSent(this.#watch) ? this.#bookmark() + this.#farewell(this.#watch) : "";
    if (last !== "") add(this.#encoder.encode(last));
    // A single event goes out as the very bytes that other watchers get.
    const [only] = lines;
    return only !== undefined && lines.length === 1 ? only : Buffer.concat(lines, size);
  }

  /** The line of the next event that this watcher sees; undefined when there is none. */
  #next(watch: StoreWatch): Uint8Array | undefined {
    const { presenter, lines, translate } = this.#options;
    const first = this.#beginning?.next();
    if (first?.done === false) return this.#encoder.encode(first.value);
    this.#beginning = undefined;
    for (let [event] = watch.take(1); event !== undefined; [event] = watch.take(1)) {
      const seen = translate(event);
      if (seen !== undefined) return lines.line(seen.type, seen.view, presenter);
    }
    return undefined;
  }

  /** A bookmark, if one is due. Nothing older may still wait. */
  #bookmark(): string {
    const isDue = this.#isBookmarkDue || (this.#isExpired && this.#options.bookmarks);
    if (!isDue) return "";
    this.#isBookmarkDue = false;
    return eventLine("BOOKMARK", this.#options.presenter.bookmark(String(this.#options.revision())));
  }

  /** What a watcher that fell behind is told at the end. */
  #farewell(watch: StoreWatch): string {
    return watch.ended === "slow" ? errorLine(tooSlow()) : "";
  }

  #isAllSent(watch: StoreWatch): boolean {
    return this.#beginning === undefined && watch.waiting === 0;
  }

  #hasEnded(): boolean {
    if (this.#watch.kind === "compacted") return true;
    return (this.#isExpired || this.#watch.ended !== undefined) && this.#isAllSent(this.#watch);
  }

  #signalReader(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #release(): void {
    if (!this.#isDone) this.#ended();
    this.#isDone = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers = [];
    if (this.#watch.kind === "watch") this.#watch.close();
  }
}

/** What is there already, and the bookmark that marks its end. */
function* beginningOf(
  initial: readonly View[],
  options: Pick<WatchStreamOptions, "presenter" | "initialEnd" | "from">,
): Generator<string> {
  const { presenter, initialEnd, from } = options;
  for (const view of initial) yield eventLine("ADDED", presenter.event(view));
  if (initialEnd) yield eventLine("BOOKMARK", presenter.bookmark(String(from), INITIAL_EVENTS_END));
}
