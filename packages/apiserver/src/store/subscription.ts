import type { StoreEvent, StoreWatch, WatchScope } from "./store.ts";
import { isInScope } from "./event-history.ts";

/** Options of {@link StoreSubscription}. */
export interface StoreSubscriptionOptions {
  readonly scope: WatchScope;
  /** Past events to deliver first. They do not count towards the backlog limits. */
  readonly replay: readonly StoreEvent[];
  /** Maximum number of undelivered live events; more end the watch as `slow`. */
  readonly backlogMax: number;
  /** Maximum bytes of undelivered live objects; more end the watch as `slow`. */
  readonly backlogMaxBytes: number;
  readonly notify: () => void;
  readonly onClose: (subscription: StoreSubscription) => void;
}

/** The store's side of a watch: a bounded buffer between the writer and one reader. */
export class StoreSubscription implements StoreWatch {
  readonly kind = "watch";
  readonly #options: StoreSubscriptionOptions;
  /** Delivered before any live event. */
  #replay: readonly StoreEvent[];
  #replayed = 0;
  #live: StoreEvent[] = [];
  #taken = 0;
  #liveBytes = 0;
  #ended: "slow" | "closed" | undefined;

  constructor(options: StoreSubscriptionOptions) {
    this.#options = options;
    this.#replay = options.replay;
  }

  get endReason(): "slow" | "closed" | undefined {
    return this.#ended;
  }

  get pendingCount(): number {
    return this.#replay.length - this.#replayed + this.#live.length - this.#taken;
  }

  take(max: number): readonly StoreEvent[] {
    const past = this.#replay.slice(this.#replayed, this.#replayed + max);
    this.#replayed += past.length;
    if (this.#replayed === this.#replay.length) this.#dropReplay();
    if (past.length === max) return past;
    const live = this.#live.slice(this.#taken, this.#taken + max - past.length);
    this.#taken += live.length;
    for (const event of live) this.#liveBytes -= bytesOf(event);
    // Removes taken events only when they are the majority, so that taking one at a time has constant amortized cost.
    if (this.#taken * 2 > this.#live.length) {
      this.#live = this.#live.slice(this.#taken);
      this.#taken = 0;
    }
    return past.length === 0 ? live : [...past, ...live];
  }

  /** Buffers a live event and notifies the reader if the event is in scope. Ends the watch if the backlog is full. */
  push(event: StoreEvent): void {
    const { scope, backlogMax, backlogMaxBytes, notify } = this.#options;
    if (this.#ended !== undefined || !isInScope(event, scope)) return;
    const size = bytesOf(event);
    const waiting = this.#live.length - this.#taken;
    // A single event is always accepted, regardless of its size.
    if (waiting >= backlogMax || (waiting > 0 && this.#liveBytes + size > backlogMaxBytes)) return this.end("slow");
    this.#live.push(event);
    this.#liveBytes += size;
    notify();
  }

  /** Ends the watch from the store's side. A slow reader loses its pending events and has to list again. */
  end(why: "slow" | "closed"): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    if (why === "slow") this.#dropPending();
    this.#options.onClose(this);
    this.#options.notify();
  }

  close(): void {
    if (this.#ended !== undefined) return;
    this.#ended = "closed";
    this.#dropPending();
    this.#options.onClose(this);
  }

  #dropPending(): void {
    this.#dropReplay();
    this.#live = [];
    this.#taken = 0;
    this.#liveBytes = 0;
  }

  #dropReplay(): void {
    this.#replay = [];
    this.#replayed = 0;
  }
}

function bytesOf(event: StoreEvent): number {
  return event.record.json.length;
}
