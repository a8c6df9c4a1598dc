import type { StoreEvent, StoreWatch, WatchScope } from "./contract.ts";
import { isInScope } from "./history.ts";

/** What a subscription needs to know. */
export interface SubscriptionOptions {
  readonly scope: WatchScope;
  /** Events of the past that come first; they do not count as backlog. */
  readonly replay: readonly StoreEvent[];
  /** More undelivered live events than this end the watch. */
  readonly backlogMax: number;
  readonly wake: () => void;
  readonly onClose: (subscription: Subscription) => void;
}

/** The memory store's side of a watch: a bounded buffer between the writer and one reader. */
export class Subscription implements StoreWatch {
  readonly kind = "watch";
  readonly scope: WatchScope;
  readonly #options: SubscriptionOptions;
  #waiting: StoreEvent[];
  #limit: number;
  #ended: "slow" | "closed" | undefined;

  constructor(options: SubscriptionOptions) {
    this.scope = options.scope;
    this.#options = options;
    this.#waiting = [...options.replay];
    this.#limit = options.backlogMax + options.replay.length;
  }

  get ended(): "slow" | "closed" | undefined {
    return this.#ended;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  take(max: number): readonly StoreEvent[] {
    const taken = this.#waiting.splice(0, max);
    this.#limit = Math.max(this.#options.backlogMax, this.#limit - taken.length);
    return taken;
  }

  /** Hands over a live event if it is in scope. */
  offer(event: StoreEvent): void {
    if (this.#ended !== undefined || !isInScope(event, this.scope)) return;
    if (this.#waiting.length >= this.#limit) return this.end("slow");
    this.#waiting.push(event);
    this.#options.wake();
  }

  /** Ends the watch from the store's side. A slow reader loses what it has not read: its next step is a new list. */
  end(why: "slow" | "closed"): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    if (why === "slow") this.#waiting = [];
    this.#options.onClose(this);
    this.#options.wake();
  }

  close(): void {
    if (this.#ended !== undefined) return;
    this.#ended = "closed";
    this.#waiting = [];
    this.#options.onClose(this);
  }
}
