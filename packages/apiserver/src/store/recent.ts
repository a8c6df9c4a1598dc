/** Something that can be had again, and is kept at hand for a while. */
export interface Releasable {
  /** About how much memory it holds. */
  readonly size: number;
  /** Lets go of it. */
  release(): void;
}

/** The latest of many things, within a number and a size. Those before are released. */
export class Recent {
  readonly #sizeMax: number;
  /** A ring: the next goes where the oldest is. */
  readonly #held: (Releasable | undefined)[];
  #next = 0;
  #oldest = 0;
  #size = 0;

  constructor(limits: { readonly countMax: number; readonly sizeMax: number }) {
    this.#held = Array.from({ length: limits.countMax }, () => undefined);
    this.#sizeMax = limits.sizeMax;
  }

  hold(item: Releasable): void {
    if (this.#held[this.#next] !== undefined) this.#releaseOldest();
    this.#held[this.#next] = item;
    this.#next = (this.#next + 1) % this.#held.length;
    this.#size += item.size;
    while (this.#size > this.#sizeMax) this.#releaseOldest();
  }

  #releaseOldest(): void {
    const item = this.#held[this.#oldest];
    this.#held[this.#oldest] = undefined;
    this.#oldest = (this.#oldest + 1) % this.#held.length;
    this.#size -= item?.size ?? 0;
    item?.release();
  }
}
