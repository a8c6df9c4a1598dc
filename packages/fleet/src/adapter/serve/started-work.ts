import { LruCache } from "@levelset/core/internal";

/**
 * Remembers the last generation for which work was started, by resource ID. Bounded; evicts the least recently
 * used.
 */
export class StartedWork {
  readonly #generations: LruCache<string, number>;

  constructor(max: number) {
    this.#generations = new LruCache(max);
  }

  has(id: string, generation: number): boolean {
    return this.#generations.get(id) === generation;
  }

  set(id: string, generation: number): void {
    this.#generations.set(id, generation);
  }
}
