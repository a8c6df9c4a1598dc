import type { StoreEvent } from "./contract.ts";

/** Events in revision order: added at the end, dropped at the front. A copy shares everything until one of the two changes. */
export class EventLog {
  #events: StoreEvent[];
  /** Events before this index are dropped already; they are cut off in batches. */
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

  /** The events after `revision`, oldest first. */
  after(revision: number): readonly StoreEvent[] {
    let [low, high] = [this.#start, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low);
  }

  /** A copy that goes its own way. Costs nothing until one of the two changes. */
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
