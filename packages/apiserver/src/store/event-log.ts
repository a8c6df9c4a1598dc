import type { StoreEvent } from "./store.ts";

/** Events in revision order: appended at the end, dropped at the front. Copies are copy-on-write. */
export class EventLog {
  #events: StoreEvent[];
  /** Index of the first live event. Dropped events before it are removed from the array in batches. */
  #start: number;
  #isShared = false;

  constructor(events: StoreEvent[] = [], start = 0) {
    this.#events = events;
    this.#start = start;
  }

  get size(): number {
    return this.#events.length - this.#start;
  }

  add(event: StoreEvent): void {
    this.#own();
    this.#events.push(event);
  }

  /** Removes and returns the oldest event. */
  drop(): StoreEvent | undefined {
    this.#own();
    const oldest = this.#events[this.#start];
    if (oldest === undefined) return undefined;
    this.#start++;
    if (this.#start > this.size) this.#cut();
    return oldest;
  }

  /** Returns the events after `revision`, oldest first. */
  after(revision: number): readonly StoreEvent[] {
    let [low, high] = [this.#start, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low);
  }

  /** Returns an independent copy in constant time. The array is copied when one of the two changes. */
  copy(): EventLog {
    const copy = new EventLog(this.#events, this.#start);
    this.#isShared = true;
    copy.#isShared = true;
    return copy;
  }

  #own(): void {
    if (this.#isShared) this.#cut();
  }

  #cut(): void {
    this.#events = this.#events.slice(this.#start);
    this.#start = 0;
    this.#isShared = false;
  }
}
