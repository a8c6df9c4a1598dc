import type { Clock } from "@levelset/core";
import type { FeedPosition } from "../../store/index.ts";
import type { FeedEvent } from "./feed-event.ts";

/** Why no more comes: the reader is too slow; what happened is no longer known; or the hub is closed. */
export type SubscriptionEnd = "overrun" | "expired" | "closed";

/** What one watcher has still to hear. Bounded: who does not keep up is cut off, and may resume where it was. */
export class Subscription {
  readonly #backlogMax: number;
  readonly #onOverrun: () => void;
  #backlog: FeedEvent[] = [];
  #position: FeedPosition = "";
  #end: SubscriptionEnd | undefined;
  #wake: (() => void) | undefined;

  constructor(options: { readonly backlogMax: number; readonly onOverrun: () => void }) {
    this.#backlogMax = options.backlogMax;
    this.#onOverrun = options.onOverrun;
  }

  /** Why it ended; undefined while it goes on. What came before the end is still there. */
  get ended(): SubscriptionEnd | undefined {
    return this.#end;
  }

  /** Who has taken everything has heard of all that happened up to here. */
  get position(): FeedPosition {
    return this.#position;
  }

  /** The next changes, and up to where these are all. */
  push(events: readonly FeedEvent[], position: FeedPosition): void {
    if (this.#end !== undefined) return;
    this.#backlog.push(...events);
    this.#position = position;
    if (this.#backlog.length > this.#backlogMax) {
      this.#backlog = [];
      this.end("overrun");
      this.#onOverrun();
    }
    if (events.length > 0) this.#wake?.();
  }

  /** Nothing comes after this. */
  end(why: SubscriptionEnd): void {
    this.#end ??= why;
    this.#wake?.();
  }

  /** Up to so many of what has not been taken yet. */
  take(count: number): readonly FeedEvent[] {
    return this.#backlog.splice(0, count);
  }

  /** Waits until there is something to take, the end, or the end of some time. */
  async wait(clock: Clock, ms: number): Promise<void> {
    if (this.#backlog.length > 0 || this.#end !== undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.after(ms, resolve);
    this.#wake = resolve;
    await promise;
    this.#wake = undefined;
    timer.cancel();
  }
}
