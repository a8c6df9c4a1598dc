/** Jobs of one key run one after the other, in the order they came; jobs of different keys at the same time. */
export class KeyLanes {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** How many keys have a job. */
  get size(): number {
    return this.#tails.size;
  }

  /** Runs a job when those before it in its lane have ended, well or not. Without a key it has no lane and runs at once. */
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
