/** Limits concurrency; waiters are served in FIFO order. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** The number of free permits. */
  get free(): number {
    return this.#free;
  }

  /** Resolves when a permit is acquired. Every permit must be returned with `release`. */
  acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Returns a permit to the next waiter. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
