import type { Clock, Timer } from "@levelset/core";
import type { View } from "../registry/index.ts";
import type { Compacted, StoreEvent, StoreWatch } from "../store/index.ts";
import { errorLine, eventLine, tooOld, tooSlow } from "./event.ts";
import type { WatchEvent } from "./event.ts";
import type { Presenter } from "./presenter.ts";

/** What a stream of events needs. */
export interface WatchStreamOptions {
  readonly clock: Clock;
  readonly presenter: Presenter;
  readonly signal: AbortSignal;
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
const BATCH = 256;
const INITIAL_EVENTS_END = { "k8s.io/initial-events-end": "true" };

/**
 * The body of a watch. Events wait in the store's bounded buffer until the reader asks; nothing here polls. Ends after its
 * time, when the store closes or the client is too slow, and lets go of everything when the reader cancels or the signal aborts.
 */
export class WatchStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: WatchStreamOptions;
  readonly #encoder = new TextEncoder();
  readonly #watch: StoreWatch | Compacted;
  #timers: Timer[] = [];
  #isInitialSent = false;
  #isBookmarkDue = false;
  #isExpired = false;
  #isDone = false;
  #wake: (() => void) | undefined;

  constructor(options: WatchStreamOptions) {
    this.#options = options;
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
      const text = this.#take();
      if (text !== "") controller.enqueue(this.#encoder.encode(text));
      if (this.#hasEnded()) {
        this.#release();
        controller.close();
        return;
      }
      if (text !== "") return;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }

  /** The text that can be sent now. */
  #take(): string {
    const { presenter, initial, initialEnd } = this.#options;
    if (this.#watch.kind === "compacted") return errorLine(tooOld(this.#options.from, this.#watch.oldest));
    if (!this.#isInitialSent) {
      this.#isInitialSent = true;
      const lines = initial.map((view) => eventLine("ADDED", presenter.event(view)));
      const end = initialEnd
        ? eventLine("BOOKMARK", presenter.bookmark(String(this.#options.from), INITIAL_EVENTS_END))
        : "";
      const text = lines.join("") + end;
      if (text !== "") return text;
    }
    const lines = this.#watch.take(BATCH).map((event) => {
      const seen = this.#options.translate(event);
      return seen === undefined ? "" : eventLine(seen.type, presenter.event(seen.view));
    });
    return lines.join("") + this.#bookmark() + (this.#watch.ended === "slow" ? errorLine(tooSlow()) : "");
  }

  /** A bookmark, if one is due: true only when nothing older still waits. */
  #bookmark(): string {
    const isDue = this.#isBookmarkDue || (this.#isExpired && this.#options.bookmarks);
    if (!isDue || this.#isWaiting()) return "";
    this.#isBookmarkDue = false;
    return eventLine("BOOKMARK", this.#options.presenter.bookmark(String(this.#options.revision())));
  }

  #isWaiting(): boolean {
    return this.#watch.kind === "watch" && this.#watch.waiting > 0;
  }

  #hasEnded(): boolean {
    if (this.#watch.kind === "compacted") return true;
    return (this.#isExpired || this.#watch.ended !== undefined) && !this.#isWaiting();
  }

  #signalReader(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #release(): void {
    this.#isDone = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers = [];
    if (this.#watch.kind === "watch") this.#watch.close();
  }
}
