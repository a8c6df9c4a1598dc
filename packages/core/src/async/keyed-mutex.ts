/** Runs jobs of one key one after the other, in call order; jobs of different keys run concurrently. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** The number of keys with a running or waiting job. */
  get size(): number {
    return this.#tails.size;
  }

  /**
   * Runs a job after all earlier jobs of its key have settled. Without a key it runs at once. Rejects with the job's
   * error.
   */
  run<T>(key: string | undefined, job: () => Promise<T>): Promise<T> {
    if (key === undefined) return job();
    const before = this.#tails.get(key);
    const result = before === undefined ? job() : before.then(job);
    const tail: Promise<unknown> = result.catch(() => undefined).finally(() => this.#leave(key, tail));
    this.#tails.set(key, tail);
    return result;
  }

  #leave(key: string, tail: Promise<unknown>): void {
    if (this.#tails.get(key) === tail) this.#tails.delete(key);
  }
}
