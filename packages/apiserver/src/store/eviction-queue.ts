/** A cached value that can be rebuilt after it is evicted. */
export interface Evictable {
  /** Approximate memory use, in the unit of `sizeMax`. */
  readonly size: number;
  /** Drops the cached value. Called once, by the queue. */
  evict(): void;
}

/** A FIFO of cached values. Evicts the oldest values when the count or the total size exceeds the limits. */
export class EvictionQueue {
  readonly #sizeMax: number;
  /** Ring buffer. */
  readonly #held: (Evictable | undefined)[];
  #next = 0;
  #oldest = 0;
  #size = 0;

  constructor(limits: { readonly countMax: number; readonly sizeMax: number }) {
    this.#held = Array.from({ length: limits.countMax }, () => undefined);
    this.#sizeMax = limits.sizeMax;
  }

  add(item: Evictable): void {
    if (this.#held[this.#next] !== undefined) this.#evictOldest();
    this.#held[this.#next] = item;
    this.#next = (this.#next + 1) % this.#held.length;
    this.#size += item.size;
    while (this.#size > this.#sizeMax) this.#evictOldest();
  }

  #evictOldest(): void {
    const item = this.#held[this.#oldest];
    this.#held[this.#oldest] = undefined;
    this.#oldest = (this.#oldest + 1) % this.#held.length;
    this.#size -= item?.size ?? 0;
    item?.evict();
  }
}
