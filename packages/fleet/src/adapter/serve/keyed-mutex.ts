/** Serializes work per key: the next call starts when the previous one has settled, successfully or not. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  async run<Out>(key: string, work: () => Promise<Out>): Promise<Out> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, ended);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}
