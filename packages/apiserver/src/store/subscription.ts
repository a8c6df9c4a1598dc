import type { StoreEvent, StoreWatch, WatchScope } from "./contract.ts";
import { isInScope } from "./history.ts";

/** What a subscription needs to know. */
export interface SubscriptionOptions {
  readonly scope: WatchScope;
  /** Events of the past that come first; they do not count as backlog. */
  readonly replay: readonly StoreEvent[];
  /** More undelivered live events than this end the watch. */
  readonly backlogMax: number;
  /** More bytes of undelivered live objects than this end the watch. */
  readonly backlogMaxBytes: number;
  readonly wake: () => void;
  readonly onClose: (subscription: Subscription) => void;
}

/** A store's side of a watch: a bounded buffer between the writer and one reader. */
export class Subscription implements StoreWatch {
  readonly kind = "watch";
  readonly #options: SubscriptionOptions;
  /** Taken from first, before any live event. */
  #replay: readonly StoreEvent[];
  #replayed = 0;
  #live: StoreEvent[] = [];
  #taken = 0;
  #liveBytes = 0;
  #ended: "slow" | "closed" | undefined;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#replay = options.replay;
  }

  get ended(): "slow" | "closed" | undefined {
    return this.#ended;
  }

  get waiting(): number {
    return this.#replay.length - this.#replayed + this.#live.length - this.#taken;
  }

  take(max: number): readonly StoreEvent[] {
    const past = this.#replay.slice(this.#replayed, this.#replayed + max);
    this.#replayed += past.length;
    if (this.#replayed === this.#replay.length) this.#forgetReplay();
    if (past.length === max) return past;
    const live = this.#live.slice(this.#taken, this.#taken + max - past.length);
    this.#taken += live.length;
    for (const event of live) this.#liveBytes -= bytesOf(event);
    // Cut in halves, so that taking one by one does not move all the others each time.
    if (this.#taken * 2 > this.#live.length) {
      this.#live = this.#live.slice(this.#taken);
      this.#taken = 0;
    }
    return past.length === 0 ? live : [...past, ...live];
  }

  /** Hands over a live event if it is in scope. */
  offer(event: StoreEvent): void {
    const { scope, backlogMax, backlogMaxBytes, wake } = this.#options;
    if (this.#ended !== undefined || !isInScope(event, scope)) return;
    const size = bytesOf(event);
    const waiting = this.#live.length - this.#taken;
    // One event always has room, however large.
    if (waiting >= backlogMax || (waiting > 0 && this.#liveBytes + size > backlogMaxBytes)) return this.end("slow");
    this.#live.push(event);
    this.#liveBytes += size;
    wake();
  }

  /** Ends the watch from the store's side. A slow reader loses what it has not read: its next step is a new list. */
  end(why: "slow" | "closed"): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    if (why === "slow") this.#forget();
    this.#options.onClose(this);
    this.#options.wake();
  }

  close(): void {
    if (this.#ended !== undefined) return;
    this.#ended = "closed";
    this.#forget();
    this.#options.onClose(this);
  }

  #forget(): void {
    this.#forgetReplay();
    this.#live = [];
    this.#taken = 0;
    this.#liveBytes = 0;
  }

  #forgetReplay(): void {
    this.#replay = [];
    this.#replayed = 0;
  }
}

function bytesOf(event: StoreEvent): number {
  return event.record.json.length;
}
